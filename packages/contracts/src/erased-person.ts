import { idPattern } from './ids.ts';

/** Nobody can own an address there (RFC 2606). */
const domain = 'deleted.invalid';

/** What stands in the place of a deleted person's name. */
export const erasedName = 'Deleted person';

/**
 * What stands in the place of a deleted person's e-mail, the same in every service: their records still belong together,
 * and nothing that is kept leads from the id back to the person.
 *
 * @param userId - the user's id
 */
export function erasedEmail(userId: string): string {
  return `deleted-${userId.toLowerCase()}@${domain}`;
}

/** Whether an address stands for a deleted person; nobody signs in with one. */
export function isErasedEmail(email: string): boolean {
  const [local = '', host] = email.toLowerCase().split('@');
  return host === domain && local.startsWith('deleted-') && idPattern.test(local.slice('deleted-'.length));
}
