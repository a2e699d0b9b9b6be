import { api } from '@clinic/app-kit';
import { findDataHolders, type DataHolders, type Person } from './data-holders.ts';
import { eraseFrom, Steps, stepsOf, unknownReason, type Progress } from './progress.ts';

/**
 * Deletes a person, as far as all the services involved can be reached: each erases its own data, and the account, which
 * identifies the person, comes last. Finished steps stay finished, so a retry runs all of it again for what is missing.
 *
 * @param onChange - called with every change of the progress
 */
export async function deletePerson(email: string, onChange: (progress: Progress) => void): Promise<void> {
  const steps = new Steps(
    [
      ['lock', 'Lock the account and end its sessions'],
      ['account', 'Sign-in account and user'],
    ],
    onChange,
  );
  let person: Person = { email, userId: '', emailConfirmed: true };
  let holders: DataHolders = { known: [], unknown: [] };
  const locked = await steps.run('lock', async () => {
    person = { email, ...(await api.call('startErasure', { params: { email } })) };
    holders = await findDataHolders();
    return undefined;
  });
  if (!locked) return;

  steps.add(stepsOf(holders));
  let erased = holders.unknown.length === 0;
  for (const holder of holders.known) {
    const done = await steps.run(holder.service, () => eraseFrom(holder, person));
    erased &&= done;
  }
  for (const service of holders.unknown) steps.fail(service, unknownReason);
  // Without the account it would be unknown whose records are left.
  if (!erased) return;
  await steps.run('account', async () => {
    const { signInAccount } = await api.call('finishErasure', { params: { email } });
    return signInAccount === 'left'
      ? 'The sign-in account still exists in Firebase. Delete it there, under Authentication, Users.'
      : undefined;
  });
}
