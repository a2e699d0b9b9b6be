import { brand } from './brand.ts';
import { minPasswordLength, minStaffPasswordLength } from './limits.ts';

/** Whose password it is going to be. */
export interface PasswordOwner {
  /** Has a staff role, or is invited to one. */
  readonly staff: boolean;
  readonly email?: string | undefined;
}

/** Fewest characters of a new password. */
export function shortestPassword({ staff }: Pick<PasswordOwner, 'staff'>): number {
  return staff ? minStaffPasswordLength : minPasswordLength;
}

/** What to say of a password with fewer characters than `least`. */
export function tooShort(least: number): string {
  return `Password must be at least ${least} characters`;
}

/**
 * The rule in one sentence, to be said before anybody can break it. There are no rules about which characters.
 *
 * @param owner - `staff` is left out where it isn't known yet
 */
export function passwordRule({ staff }: Partial<Pick<PasswordOwner, 'staff'>>): string {
  if (staff === undefined) return `At least ${minPasswordLength} characters, or ${minStaffPasswordLength} if you work at the clinic, and no password that many people use.`;
  return `At least ${shortestPassword({ staff })} characters, and no password that many people use. A few words in a row are easy to remember.`;
}

/**
 * What is wrong with a new password. Existing passwords aren't asked: they go on working.
 *
 * The first call loads a list of 10,000 common passwords (30 KB), so call it where somebody chooses a password, not where
 * people log in.
 *
 * @returns a sentence for the person, or `undefined`: nothing
 * @throws Error when a browser can't load the list; the next call tries again
 */
export async function passwordFault(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const least = shortestPassword(owner);
  if (Array.from(password).length < least) return tooShort(least);
  const plain = plainOf(password);
  const about = [owner.email, owner.email?.split('@')[0], brand.brandName, brand.brandName.replaceAll(' ', '')];
  if (about.some((word) => word !== undefined && plainOf(word) === plain)) return 'Choose a password that is not your e-mail address or the name of the clinic';
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(plain) ? 'Many people use this password, so it is easy to guess. Choose another one' : undefined;
}

const plainOf = (text: string): string => text.normalize('NFKC').toLowerCase();
