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

/** The user's id in an address that {@link erasedEmail} made. */
export const idOfErased = (email: string): string => email.slice('deleted-'.length, email.indexOf('@'));

/** Likewise for a patient without an email address. */
const noEmailDomain = 'no-email.invalid';

/**
 * Stands for the email address of a patient who has none: records are found by an address, and two such patients are two people.
 *
 * @param id - of the patient's first record
 */
export const noEmail = (id: string): string => `patient-${id.toLowerCase()}@${noEmailDomain}`;

/** The id in an address that {@link noEmail} made; `undefined` for any other. */
export function idOfNoEmail(email: string): string | undefined {
  const [local = '', host] = email.split('@');
  const id = local.slice('patient-'.length);
  return host === noEmailDomain && local.startsWith('patient-') && idPattern.test(id) ? id : undefined;
}

/** Whether an address stands for that of a patient who has none. */
export const hasNoEmail = (email: string): boolean => email.toLowerCase().endsWith(`@${noEmailDomain}`);

/** Whether an address stands for somebody who can't be reached or sign in with it. */
export const isNobodysEmail = (email: string): boolean => isErasedEmail(email) || hasNoEmail(email);
