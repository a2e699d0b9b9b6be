import { passwordFault, shortestPassword, tooShort, type PasswordOwner } from '@clinic/contracts/password-policy';
import { all, atLeast, required, type Fields } from './use-fields.ts';

/** Immediate checks of a new password; {@link acceptsPassword} does the rest. */
export function lengthRule(staff = false): (value: string) => string | undefined {
  const length = shortestPassword({ staff });
  return all(required('Password is required'), atLeast(length, tooShort(length)));
}

/**
 * Shows at its field what is wrong with a new password.
 *
 * @returns whether it is acceptable
 * @throws if the list of common passwords couldn't be loaded
 */
export async function acceptsPassword(
  form: Pick<Fields<'password'>, 'showErrors'>,
  password: string,
  owner: PasswordOwner,
): Promise<boolean> {
  const fault = await passwordFault(password, owner);
  if (fault !== undefined) form.showErrors({ password: fault });
  return fault === undefined;
}
