import { definePage, draftOf, Link, useDraft, useSearchParams, useSession, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallBody, CallResponse } from '@clinic/contracts';
import { Alert, Button, ButtonLink, Card, PageHeader, TextField } from '@clinic/ui';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useForm, useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form';
import { experienceRule } from '../profiles/profile-form.ts';
import { CheckInvitation } from './check-invitation.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { PersonNote, usePerson } from './person-note.tsx';
import { ProfileFieldset } from './profile-fields.tsx';
import { RoleChoice } from './role-choice.tsx';
import type { StaffForm } from './staff-form.ts';
import { isStaffRole, type StaffRole } from './staff-roles.ts';
import { WorkingTimes } from './working-times.tsx';
import '../setup.ts';

const steps = { role: 'Role', person: 'Person', profile: 'Profile', times: 'Working times', check: 'Check' } as const;
type Step = keyof typeof steps;

/** The steps for a role, in order. */
const stepsOf = (role: StaffRole): readonly Step[] =>
  role === 'admin'
    ? ['role', 'person', 'check']
    : role === 'doctor'
      ? ['role', 'person', 'profile', 'times', 'check']
      : ['role', 'person', 'profile', 'check'];

const stepOfField: Readonly<Record<string, Step>> = {
  email: 'person',
  role: 'role',
  'profile.availableTimes': 'times',
};

const empty = (role: StaffRole, email: string): StaffForm => ({
  role,
  email,
  name: '',
  qualification: '',
  specialization: '',
  experience: Number.NaN,
  location: '',
  availableTimes: [],
});

/** The part of the form that is sent. */
function bodyOf({
  role,
  email,
  name,
  qualification,
  specialization,
  experience,
  location,
  availableTimes,
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
      ...(role === 'doctor' && { location, availableTimes: [...availableTimes] }),
    },
  };
}

/**
 * Add Staff (`/dash/staff/add`): invites somebody to a role, with everything they need to start. Role and profile are
 * created together.
 */
export function AddStaffPage() {
  const [made, setMade] = useState<CallResponse<'inviteStaff'>>();
  const form = useStaffForm(made !== undefined);
  const [step, setStep] = useState<Step>('role');
  const [role, availableTimes] = useWatch({ control: form.control, name: ['role', 'availableTimes'] });
  const own = stepsOf(role);
  const place = own.indexOf(step);
  const heading = useStartOfStep(step, made);
  const invite = useInvite(form, setMade, setStep);

  function next(): void {
    const following = own[place + 1];
    if (following) setStep(following);
  }
  const back = (): void => setStep(own[place - 1] ?? 'role');

  if (made) {
    return (
      <>
        <Header />
        <Card className="max-w-2xl">
          <InvitationLink
            made={made}
            onNext={() => {
              setMade(undefined);
              form.reset(empty(role, ''));
              setStep('role');
            }}
          />
        </Card>
      </>
    );
  }

  return (
    <>
      <Header />
      <Card className="grid max-w-2xl gap-6">
        <StepList own={own} place={place} />
        <h2 ref={heading} tabIndex={-1} className="text-heading font-semibold outline-none">
          {titleOf(step, role)}
        </h2>
        {step === 'times' ? (
          <div className="grid gap-6">
            <WorkingTimes values={availableTimes} onChange={(times) => form.setValue('availableTimes', [...times])} />
            <Buttons onBack={back}>
              <Button onClick={next}>Next</Button>
            </Buttons>
          </div>
        ) : (
          <StepForm
            step={step}
            role={role}
            form={form}
            onNext={next}
            onBack={place > 0 ? back : undefined}
            invite={invite}
          />
        )}
      </Card>
    </>
  );
}

/** The form, as a link or a draft of the same user fills it in. @param isSent - there is nothing left to keep */
function useStaffForm(isSent: boolean): UseFormReturn<StaffForm> {
  const { user } = useSession();
  const [search] = useSearchParams();
  const requestedRole = search.get('role');
  const [key] = useState(() => `addStaff ${user?.email ?? ''}`);
  const [typed] = useState(() => draftOf<StaffForm>(key));
  const form = useForm<StaffForm>({
    defaultValues: {
      ...empty('doctor', ''),
      ...typed,
      ...(isStaffRole(requestedRole) && { role: requestedRole }),
      ...(search.get('email') && { email: search.get('email') ?? '' }),
    },
  });
  const { getValues } = form;
  useDraft(
    key,
    useCallback(() => (isSent ? undefined : getValues()), [getValues, isSent]),
  );
  return form;
}

/** Screen readers and keyboards continue at the start of the next step. @returns for its heading */
function useStartOfStep(step: Step, made: unknown): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) heading.current?.focus();
    moved.current = true;
  }, [step, made]);
  return heading;
}

function StepList({ own, place }: { readonly own: readonly Step[]; readonly place: number }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {own.map((one, index) => (
        <li
          key={one}
          aria-current={index === place ? 'step' : undefined}
          className={
            index === place ? 'font-semibold text-primary' : index < place ? 'text-base-content' : 'text-muted'
          }
        >
          {index + 1}. {steps[one]}
        </li>
      ))}
    </ol>
  );
}

/** The fields of each step; they are checked when it is left. */
const fieldsOf: Readonly<Partial<Record<Step, readonly FieldPath<StaffForm>[]>>> = {
  person: ['email'],
  profile: ['name', 'qualification', 'specialization', 'experience', 'location'],
};

interface StepFormProps {
  readonly step: Exclude<Step, 'times'>;
  readonly role: StaffRole;
  readonly form: UseFormReturn<StaffForm>;
  readonly onNext: () => void;
  readonly onBack: (() => void) | undefined;
  readonly invite: ReturnType<typeof useInvite>;
}

function StepForm({ step, role, form, onNext, onBack, invite }: StepFormProps) {
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
          experience={register('experience', experienceRule)}
          errors={formState.errors}
        />
      )}
      {step === 'check' && <CheckInvitation form={getValues()} />}
      {step === 'check' && invite.error && !invite.error.problem.errors?.length && (
        <InviteFailure error={invite.error} />
      )}
      <Buttons onBack={onBack}>
        {step === 'check' ? (
          <Button type="submit" icon="mail" busy={invite.isPending}>
            Create the invitation
          </Button>
        ) : (
          <Button type="submit" busy={step === 'person' && person.looking}>
            Next
          </Button>
        )}
      </Buttons>
    </form>
  );
}

/** @param onStep - goes to the step with a wrong field */
function useInvite(
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
          pattern: { value: /^\s*\S+@\S+\.\S+\s*$/, message: 'Enter an email address like name@example.com' },
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
    <Alert kind="error" title="We couldn’t create the invitation">
      {error.message}{' '}
      {error.code === 'duplicate' && (
        <Link to="/dash/staff?state=open" className="font-semibold underline underline-offset-4">
          See the open invitations
        </Link>
      )}
    </Alert>
  );
}

const Header = () => (
  <PageHeader
    title="Add Staff"
    description="Invite a doctor, pharmacist or admin. Once they accept, they can start at once."
    actions={
      <ButtonLink component={Link} variant="ghost" to="/dash/staff">
        All invitations
      </ButtonLink>
    }
  />
);

const Buttons = ({
  onBack,
  children,
}: {
  readonly onBack: (() => void) | undefined;
  readonly children: React.ReactNode;
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

function titleOf(step: Step, role: StaffRole): string {
  switch (step) {
    case 'role':
      return 'What will they work as?';
    case 'person':
      return 'Who is it?';
    case 'profile':
      return role === 'doctor' ? 'What patients see about them' : 'Their profile';
    case 'times':
      return 'When can patients book them?';
    case 'check':
      return 'Check the invitation';
  }
}

export default definePage({ Component: AddStaffPage });
