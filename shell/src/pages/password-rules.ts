import { minPasswordLength, minStaffPasswordLength } from '@clinic/contracts';
import { passwordFault, passwordRule, shortestPassword, type PasswordOwner } from '@clinic/contracts/password-policy';
import { all, atLeast, required, type Fields } from './use-fields.ts';

/** The rule, said below the field before anybody can break it. @param staff - absent where it isn't known whether they work here */
export function passwordHint(staff?: boolean): string {
  if (staff !== undefined) return passwordRule({ staff });
  return `At least ${minPasswordLength} characters, or ${minStaffPasswordLength} if you work at the clinic, and no password that many people use.`;
}

/** What can be said about a new password at once; {@link acceptsPassword} knows the rest. */
export function lengthRule(staff = false): (value: string) => string | undefined {
  const length = shortestPassword({ staff });
  return all(required('Password is required'), atLeast(length, `Password must be at least ${length} characters`));
}

/**
 * Says at its field what is wrong with a new password.
 *
 * @returns whether nothing is
 * @throws when the list of common passwords could not be loaded
 */
export async function acceptsPassword(form: Pick<Fields<'password'>, 'refuse'>, password: string, owner: PasswordOwner): Promise<boolean> {
  const fault = await passwordFault(password, owner);
  if (fault !== undefined) form.refuse({ password: fault });
  return fault === undefined;
}
