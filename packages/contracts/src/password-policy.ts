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

/** The rule in one sentence, to be said before anybody can break it. There are no rules about which characters. */
export function passwordRule({ staff }: Pick<PasswordOwner, 'staff'>): string {
  return `At least ${shortestPassword({ staff })} characters, and no password that many people use. A few words in a row are easy to remember.`;
}

/**
 * What is wrong with a new password. Existing passwords aren't asked: they go on working.
 *
 * The first call loads a list of 49,000 common passwords (about 200 KB), so call it where somebody chooses a password, not
 * where people log in.
 *
 * @returns a sentence for the person, or `undefined`: nothing
 */
export async function passwordFault(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const least = shortestPassword(owner);
  if (Array.from(password).length < least) return `Password must be at least ${least} characters`;
  const plain = plainOf(password);
  const about = [owner.email, owner.email?.split('@')[0], brand.brandName, brand.brandName.replaceAll(' ', '')];
  if (about.some((word) => word !== undefined && plainOf(word) === plain)) return 'Choose a password that is not your e-mail address or the name of the clinic';
  return (await commonPasswords()).has(plain) ? 'Many people use this password, so it is easy to guess. Choose another one' : undefined;
}

const plainOf = (text: string): string => text.normalize('NFKC').toLowerCase();

let common: Promise<ReadonlySet<string>> | undefined;

function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
    (error: unknown) => {
      // A browser that lost its connection tries again with the next password.
      common = undefined;
      throw error;
    },
  );
  return common;
}
