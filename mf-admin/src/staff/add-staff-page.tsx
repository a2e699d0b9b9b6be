import { definePage, draftOf, useDraft, useSearchParams, useSession } from '@clinic/app-kit';
import type { CallResponse } from '@clinic/contracts';
import { Card, PageHeader } from '@clinic/ui';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { InvitationLink } from './invitation-link.tsx';
import { steps, stepsOf, titleOf, type Step } from './invitation-steps.ts';
import type { StaffForm } from './staff-form.ts';
import { isStaffRole, type StaffRole } from './staff-roles.ts';
import { StepForm } from './step-form.tsx';
import { useInvite } from './use-invite.ts';
import '../setup.ts';

const empty = (role: StaffRole, email: string): StaffForm => ({
  role,
  email,
  name: '',
  qualification: '',
  specialization: '',
  experience: Number.NaN,
  location: '',
});

/**
 * Add Staff (`/dash/staff/add`): invites somebody to a role, with everything they need to start. Role and profile are
 * created together.
 */
export function AddStaffPage() {
  const [made, setMade] = useState<CallResponse<'inviteStaff'>>();
  const form = useStaffForm(made !== undefined);
  const [step, setStep] = useState<Step>('role');
  const role = useWatch({ control: form.control, name: 'role' });
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
        <StepForm
          step={step}
          role={role}
          form={form}
          onNext={next}
          onBack={place > 0 ? back : undefined}
          invite={invite}
        />
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
  useDraft(key, () => (isSent ? undefined : form.getValues()));
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

const Header = () => (
  <PageHeader
    title="Add Staff"
    description="Invite a doctor, pharmacist or admin. Once they accept, they can start at once."
  />
);

export default definePage({ Component: AddStaffPage });
