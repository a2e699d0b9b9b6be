import type { User } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { userOnTheWire, usersOf } from './user-record.ts';

/**
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function getUser(context: IdentityContext, email: string): Promise<User> {
  const user = await usersOf(context).findOne({ email });
  if (!user) throw new ProblemError('not_found', { detail: 'There is no user with this e-mail.' });
  return userOnTheWire(user);
}
