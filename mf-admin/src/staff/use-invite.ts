import type { ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallResponse } from '@clinic/contracts';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { stepOfField, type Step } from './invitation-steps.ts';
import type { StaffForm } from './staff-form.ts';

/** Creates the invitation. @param onStep - goes to the step with a wrong field */
export function useInvite(
  { setError }: UseFormReturn<StaffForm>,
  onMade: (made: CallResponse<'inviteStaff'>) => void,
  onStep: (step: Step) => void,
) {
  return useChange('inviteStaff', {
    invalidates: ['listInvitations'],
    failure: false,
    onDone: onMade,
    onError(problem: ApiProblem) {
      const fields = problem.problem.errors ?? [];
      for (const { field, message } of fields)
        setError(field.replace('profile.', '') as FieldPath<StaffForm>, { message });
      const [first] = fields;
      if (first) onStep(stepOfField[first.field] ?? 'profile');
    },
  });
}
