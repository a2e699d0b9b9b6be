import type { User } from '@clinic/contracts';

/** Names a user in an action: the address, and whose it was in the list that the admin acts on. */
export const named = ({ email, _id }: User) => ({ params: { email }, query: { userId: _id } });

/** Names one's own account: a session's address is nobody else's. */
export const oneself = (email: string) => ({ params: { email }, query: { userId: undefined } });
