import type { User } from '@clinic/contracts';

/** Names a user in an action: the address, and whose it was in the list that the admin acts on. */
export const named = ({ email, _id }: User) => ({ params: { email }, query: { userId: _id } });
