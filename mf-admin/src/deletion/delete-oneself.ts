import { api, ApiProblem } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { untilDone, type StepState } from './delete-person.ts';

/** The parts in order: the account comes last, because without it nobody could finish the others. */
export const ownSteps = ['clinic', 'pharmacy', 'account'] as const;
export type OwnStep = (typeof ownSteps)[number];

export type OwnProgress = Readonly<Record<OwnStep, StepState>>;

export const notBegunOneself: OwnProgress = {
  clinic: { is: 'waiting' },
  pharmacy: { is: 'waiting' },
  account: { is: 'waiting' },
};

/**
 * Deletes the logged-in person, part by part; stops at the first that fails. Finished parts stay finished, so a retry runs
 * all of it again.
 *
 * @param tell - called with every change of the progress
 * @returns the final progress
 */
export async function deleteOneself(
  { _id, email, emailVerified }: Pick<User, '_id' | 'email' | 'emailVerified'>,
  tell: (progress: OwnProgress) => void,
): Promise<OwnProgress> {
  const person = { email, userId: _id, emailConfirmed: emailVerified === true };
  const work: Readonly<Record<OwnStep, () => Promise<string | undefined>>> = {
    clinic: () => untilDone(() => api.call('eraseClinicData', { body: person }), ['appointment', 'appointments']),
    pharmacy: () => untilDone(() => api.call('erasePharmacyData', { body: person }), ['order', 'orders']),
    async account() {
      const { signInAccount } = await api.call('finishErasure', { params: { email } });
      return signInAccount === 'left' ? 'The clinic will delete your sign-in account by hand.' : undefined;
    },
  };
  let progress = notBegunOneself;
  const show = (step: OwnStep, state: StepState): void => {
    progress = { ...progress, [step]: state };
    tell(progress);
  };
  for (const step of ownSteps) {
    show(step, { is: 'working' });
    try {
      const note = await work[step]();
      show(step, note === undefined ? { is: 'done' } : { is: 'done', note });
    } catch (error) {
      console.error('Could not delete', step, error);
      show(step, { is: 'failed', reason: error instanceof ApiProblem ? error.message : 'Something went wrong.' });
      break;
    }
  }
  return progress;
}
