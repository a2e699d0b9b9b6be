import { brand } from './brand.ts';
import { minPasswordLength, minStaffPasswordLength } from './limits.ts';

/** Whose password it will be. */
export interface PasswordOwner {
  /** The person has a staff role, or is invited to one. */
  readonly staff: boolean;
  readonly email?: string | undefined;
}

/** Minimum length of a new password, in characters. */
export function shortestPassword({ staff }: Pick<PasswordOwner, 'staff'>): number {
  return staff ? minStaffPasswordLength : minPasswordLength;
}

/** Message for a password of fewer than `least` characters. */
export function tooShort(least: number): string {
  return `Password must be at least ${least} characters`;
}

/**
 * The rule in one sentence, shown before anybody can break it. There are no rules about character classes.
 *
 * @param owner - `staff` is omitted if it isn't known yet
 */
export function passwordRule({ staff }: Partial<Pick<PasswordOwner, 'staff'>>): string {
  if (staff === undefined)
    return `Use at least ${minPasswordLength} characters, or ${minStaffPasswordLength} if you work at the clinic. Avoid common passwords.`;
  return `Use at least ${shortestPassword({ staff })} characters. Avoid common passwords: a few random words are easy to remember.`;
}

/**
 * Problem with a new password. Existing passwords aren't checked and keep working.
 *
 * The first call loads a list of 10,000 common passwords (30 KB), so call it where people choose a password, not where
 * they log in.
 *
 * @returns a sentence for the person; `undefined` if the password is fine
 * @throws Error if a browser can't load the list; the next call tries again
 */
export async function passwordFault(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const least = shortestPassword(owner);
  if (Array.from(password).length < least) return tooShort(least);
  const plain = plainOf(password);
  const { brandName } = brand;
  const about = [
    owner.email,
    owner.email?.split('@')[0],
    brandName,
    brandName.replaceAll(' ', ''),
    ...brandName.split(' '),
  ];
  if (about.some((word) => word !== undefined && plainOf(word) === plain))
    return 'Choose a password that isn’t your email address or the clinic’s name';
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(plain) ? 'This password is common and easy to guess. Choose another one' : undefined;
}

const plainOf = (text: string): string => text.normalize('NFKC').toLowerCase();
