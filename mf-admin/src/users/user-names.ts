import type { User } from '@clinic/contracts';

/** What a person is called on screen; somebody who never gave a name is their e-mail. */
export const fullName = (user: User): string => `${user.firstName} ${user.lastName}`.trim() || user.email;
