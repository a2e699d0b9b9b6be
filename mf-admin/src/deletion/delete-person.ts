import { api, ApiProblem } from '@clinic/app-kit';

/** The steps of a deletion in order; each service erases its own data, and the account, which identifies the person, comes last. */
export const steps = ['lock', 'clinic', 'pharmacy', 'account'] as const;
export type Step = (typeof steps)[number];

export type StepState =
  | { readonly is: 'waiting' | 'working' | 'done' }
  /** What was cancelled, or what somebody still has to do by hand. */
  | { readonly is: 'done'; readonly note: string }
  | { readonly is: 'failed'; readonly reason: string };

export type Progress = Readonly<Record<Step, StepState>>;

export const notBegun: Progress = {
  lock: { is: 'waiting' },
  clinic: { is: 'waiting' },
  pharmacy: { is: 'waiting' },
  account: { is: 'waiting' },
};

/** Whether nothing is left to do. */
export const isDone = (progress: Progress): boolean => steps.every((step) => progress[step].is === 'done');

/**
 * Deletes a person, as far as all the services involved can be reached. Finished steps stay finished, so a retry runs all of
 * it again for what is missing.
 *
 * @param tell - called with every change of the progress
 * @returns the final progress
 */
export async function deletePerson(email: string, tell: (progress: Progress) => void): Promise<Progress> {
  let progress = notBegun;
  let person = { email, userId: '', emailConfirmed: true };
  const show = (step: Step, state: StepState): void => {
    progress = { ...progress, [step]: state };
    tell(progress);
  };
  const run = async (step: Step, work: () => Promise<string | undefined>): Promise<void> => {
    show(step, { is: 'working' });
    try {
      const note = await work();
      show(step, note === undefined ? { is: 'done' } : { is: 'done', note });
    } catch (error) {
      console.error('Could not delete', step, error);
      show(step, { is: 'failed', reason: error instanceof ApiProblem ? error.message : 'Something went wrong.' });
    }
  };

  await run('lock', async () => {
    person = { email, ...(await api.call('startErasure', { params: { email } })) };
    return undefined;
  });
  if (progress.lock.is !== 'done') return progress;
  await run('clinic', () =>
    untilDone(() => api.call('eraseClinicData', { body: person }), ['appointment', 'appointments']),
  );
  await run('pharmacy', () => untilDone(() => api.call('erasePharmacyData', { body: person }), ['order', 'orders']));
  // Without the account it would be unknown whose records are left.
  if (progress.clinic.is !== 'done' || progress.pharmacy.is !== 'done') return progress;
  await run('account', async () => {
    const { signInAccount } = await api.call('finishErasure', { params: { email } });
    return signInAccount === 'left'
      ? 'The sign-in account still exists in Firebase. Delete it there, under Authentication, Users.'
      : undefined;
  });
  return progress;
}

/**
 * Has a service erase a person, with as many calls as it takes.
 *
 * @returns how much was cancelled, in words; empty if nothing was
 */
export async function untilDone(
  forget: () => Promise<{ readonly done: boolean; readonly cancelled: number }>,
  [one, many]: readonly [string, string],
): Promise<string | undefined> {
  let cancelled = 0;
  for (;;) {
    const answer = await forget();
    cancelled += answer.cancelled;
    if (answer.done) break;
  }
  return cancelled === 0 ? undefined : `${cancelled} ${cancelled === 1 ? one : many} cancelled`;
}
