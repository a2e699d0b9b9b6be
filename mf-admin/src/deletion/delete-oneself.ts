import { api } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { findDataHolders, type DataHolders } from './data-holders.ts';
import { eraseFrom, stateOf, Steps, stepsOf, unknownReason, type Progress, type StepState } from './progress.ts';

const yours = (name: string): string => `Your ${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/**
 * Deletes the logged-in person, part by part; stops at the first that fails. The account comes last, because without it
 * nobody could finish the others. Finished parts stay finished, so a retry runs all of it again.
 *
 * @param onChange - called with every change of the progress
 * @returns the final state of the account
 */
export async function deleteOneself(
  { _id, email, emailVerified }: Pick<User, '_id' | 'email' | 'emailVerified'>,
  onChange: (progress: Progress) => void,
): Promise<StepState | undefined> {
  const person = { email, userId: _id, emailConfirmed: emailVerified === true };
  const steps = new Steps([['account', 'Your account']], onChange);
  let holders: DataHolders;
  try {
    holders = await findDataHolders();
  } catch (error) {
    await steps.run('account', async () => Promise.reject(error));
    return stateOf(steps.progress, 'account');
  }

  steps.add(stepsOf(holders).map(([id, name]) => [id, yours(name)]));
  for (const service of holders.unknown) steps.fail(service, unknownReason);
  let erased = holders.unknown.length === 0;
  for (const holder of holders.known) erased &&= await steps.run(holder.service, () => eraseFrom(holder, person));
  if (erased)
    await steps.run('account', async () => {
      const { signInAccount } = await api.call('finishErasure', { params: { email } });
      return signInAccount === 'left' ? 'The clinic will delete your sign-in account by hand.' : undefined;
    });
  return stateOf(steps.progress, 'account');
}
