import { passwordFault, shortestPassword, tooShort, type PasswordOwner } from '@clinic/contracts/password-policy';
import { all, atLeast, required, type Fields } from './use-fields.ts';

/** What can be said about a new password at once; {@link acceptsPassword} knows the rest. */
export function lengthRule(staff = false): (value: string) => string | undefined {
  const length = shortestPassword({ staff });
  return all(required('Password is required'), atLeast(length, tooShort(length)));
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
