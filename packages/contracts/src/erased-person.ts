import { idPattern } from './ids.ts';

/** A domain in which nobody can own an address (RFC 2606). */
const domain = 'deleted.invalid';

/** Replaces a deleted person's name. */
export const erasedName = 'Deleted person';

/**
 * Replaces a deleted person's email address. It is the same in every service, so the records still belong together, and
 * nothing that is kept leads from the id back to the person.
 *
 * @param userId - the user's id
 */
export function erasedEmail(userId: string): string {
  return `deleted-${userId.toLowerCase()}@${domain}`;
}

/** Whether an address stands for a deleted person. Nobody can sign in with one. */
export function isErasedEmail(email: string): boolean {
  const [local = '', host] = email.toLowerCase().split('@');
  return host === domain && local.startsWith('deleted-') && idPattern.test(local.slice('deleted-'.length));
}
