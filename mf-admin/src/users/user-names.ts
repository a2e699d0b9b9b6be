import type { User } from '@clinic/contracts';

/** A person's name on screen; their email address if they never gave a name. */
export const fullName = (user: User): string => `${user.firstName} ${user.lastName}`.trim() || user.email;
