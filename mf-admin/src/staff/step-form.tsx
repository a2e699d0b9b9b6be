import { Link, type ApiProblem } from '@clinic/app-kit';
import type { CallBody } from '@clinic/contracts';
import { failureTitle } from '@clinic/contracts/outcome';
import { emailMessage, isTypedAddress } from '@clinic/contracts/typed-address';
import { Alert, Button, TextField } from '@clinic/ui';
import type { ReactNode } from 'react';
import { useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form';
import { experienceRule } from '../profiles/profile-form.ts';
import { CheckInvitation } from './check-invitation.tsx';
import type { Step } from './invitation-steps.ts';
import { PersonNote, usePerson } from './person-note.tsx';
import { ProfileFieldset } from './profile-fields.tsx';
import { RoleChoice } from './role-choice.tsx';
import type { StaffForm } from './staff-form.ts';
import type { StaffRole } from './staff-roles.ts';
import type { useInvite } from './use-invite.ts';

/** The part of the form that is sent. */
function bodyOf({
  role,
  email,
  name,
  qualification,
  specialization,
  experience,
  location,
}: StaffForm): CallBody<'inviteStaff'> {
  if (role === 'admin') return { role, email };
  return {
    role,
    email,
    profile: {
      name,
      qualification,
      specialization,
      experience,
      ...(role === 'doctor' && { location }),
    },
  };
}

/** The fields of each step; they are checked when it is left. */
const fieldsOf: Readonly<Partial<Record<Step, readonly FieldPath<StaffForm>[]>>> = {
  person: ['email'],
  profile: ['name', 'qualification', 'specialization', 'experience', 'location'],
};

interface StepFormProps {
  readonly step: Step;
  readonly role: StaffRole;
  readonly form: UseFormReturn<StaffForm>;
  readonly onNext: () => void;
  readonly onBack: (() => void) | undefined;
  readonly invite: ReturnType<typeof useInvite>;
}

/** The fields and buttons of one step; the last one sends the invitation. */
export function StepForm({ step, role, form, onNext, onBack, invite }: StepFormProps) {
  const { register, control, trigger, getValues, formState } = form;
  const email = useWatch({ control, name: 'email' });
  const person = usePerson(step === 'role' ? '' : email, role);

  async function next(): Promise<void> {
    if (!(await trigger(fieldsOf[step] ?? [], { shouldFocus: true }))) return;
    if (step !== 'person' || !person.blocks) onNext();
  }

  return (
    <form
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (step === 'check') invite.mutate({ body: bodyOf(getValues()) });
        else void next();
      }}
    >
      {step === 'role' && <RoleChoice value={role} onChange={(value) => form.setValue('role', value)} />}
      {step === 'person' && <PersonStep form={form} person={person} role={role} />}
      {step === 'profile' && (
        <ProfileFieldset
          role={role}
          register={register}
          experience={() => register('experience', experienceRule)}
          errors={formState.errors}
        />
      )}
      {step === 'check' && <CheckInvitation form={getValues()} />}
      {step === 'check' && invite.error && !invite.error.problem.errors?.length && (
        <InviteFailure error={invite.error} />
      )}
      <StepButtons onBack={onBack}>
        {step === 'check' ? (
          <Button type="submit" icon="mail" busy={invite.isPending}>
            Create the invitation
          </Button>
        ) : (
          <Button type="submit" busy={step === 'person' && person.looking}>
            Next
          </Button>
        )}
      </StepButtons>
    </form>
  );
}

interface PersonStepProps {
  readonly form: UseFormReturn<StaffForm>;
  readonly person: ReturnType<typeof usePerson>;
  readonly role: StaffRole;
}

function PersonStep({ form: { register, formState }, person, role }: PersonStepProps) {
  return (
    <>
      <TextField
        label="Email address"
        required
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        error={formState.errors.email?.message}
        hint="They’ll register or log in with this address, then confirm it’s theirs."
        {...register('email', {
          required: 'Email is required',
          validate: (typed) => isTypedAddress(typed) || emailMessage,
        })}
      />
      <div aria-live="polite" className="empty:hidden">
        <PersonNote person={person} role={role} />
      </div>
    </>
  );
}

function InviteFailure({ error }: { readonly error: ApiProblem }) {
  return (
    <Alert kind="error" title={failureTitle(error, 'We couldn’t create the invitation')}>
      {error.message}{' '}
      {error.code === 'duplicate' && (
        <Link to="/dash/staff?state=open" className="font-semibold underline underline-offset-4">
          See the open invitations
        </Link>
      )}
    </Alert>
  );
}

/** The buttons below a step. */
export const StepButtons = ({
  onBack,
  children,
}: {
  readonly onBack: (() => void) | undefined;
  readonly children: ReactNode;
}) => (
  <div className="flex flex-wrap gap-3">
    {children}
    {onBack && (
      <Button variant="ghost" onClick={onBack}>
        Back
      </Button>
    )}
  </div>
);
