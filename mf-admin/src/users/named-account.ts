import type { User } from '@clinic/contracts';

/** Names a user in an action: the address, and whose it was in the list that the admin acts on. */
export const named = ({ email, _id }: User) => ({ params: { email }, query: { userId: _id } });

/** What the list showed of a user whose role is changed. */
export const standing = ({ role, rights }: User) => ({ role, rights });

/** Names one's own account: a session's address is nobody else's. */
export const oneself = (email: string) => ({ params: { email }, query: { userId: undefined } });
