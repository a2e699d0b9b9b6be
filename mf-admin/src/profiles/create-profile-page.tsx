import { knownLabel } from '@clinic/contracts/known-words';
import {
  definePage,
  draftOf,
  Link,
  notify,
  useDraft,
  useSearchParams,
  useSession,
  type ApiProblem,
} from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { roleLabels, type User } from '@clinic/contracts';
import { failureTitle } from '@clinic/contracts/outcome';
import { emailMessage, isTypedAddress } from '@clinic/contracts/typed-address';
import { Button, ButtonLink, Card, PageHeader, SelectField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { useForm, useWatch, type UseFormRegister } from 'react-hook-form';
import { standing } from '../users/named-account.ts';
import { fullName } from '../users/user-names.ts';
import { AccountOfEmail, useAccountLookup, useAccountOf, type AccountState } from './account-of-email.tsx';
import { eachFieldError, experienceRule, type ProfileFields } from './profile-form.ts';
import { ExperienceInput, ExpertiseInput, NameInput, QualificationInput } from './profile-inputs.tsx';
import '../setup.ts';

type ProfileRole = 'doctor' | 'pharmacist';

interface ProfileForm extends ProfileFields {
  readonly email: string;
  readonly role: ProfileRole;
}

const empty = (role: ProfileRole): ProfileForm => ({
  name: '',
  email: '',
  qualification: '',
  specialization: '',
  experience: Number.NaN,
  role,
});

const roleOptions = [
  { value: 'doctor', label: 'Doctor' },
  { value: 'pharmacist', label: 'Pharmacist' },
];

/** For a response without a record. */
const noRecord = 'Failed to create profile';

/** The fixed texts (docs/product.md, Texts). */
const failureOf = (problem: ApiProblem): string =>
  problem.emptyAnswer ? noRecord : `${failureTitle(problem, 'Error creating profile')}: ${problem.message}`;

/** Create Profile (`/dash/createProfile`): adds a doctor to the directory, or a pharmacist to the staff. Every field is required. */
export function CreateProfilePage() {
  const { form, initialEmail, onRole } = useProfileForm();
  const {
    register,
    handleSubmit,
    reset,
    setError,
    formState: { errors, isSubmitting },
  } = form;
  const role = useWatch({ control: form.control, name: 'role' });
  const expertise = role === 'pharmacist' ? 'Area of Expertise' : 'Specialization';
  const create = useChange('createProfile', { invalidates: ['listDoctors', 'listPharmacists'], failure: false });
  const giveRole = useGiveRole();
  const { account, lookUp, confirming, setConfirming, givesRole, setRoleToo, email, leaveEmail } = useProfileAccount(
    initialEmail,
    role,
  );

  function showProblem(problem: ApiProblem): void {
    eachFieldError(problem, empty(role), (field, message) => setError(field, { message }, { shouldFocus: true }));
    notify.error(failureOf(problem));
  }

  const submit = handleSubmit(async (profile) => {
    const shown = profile.email === email ? account.user : undefined;
    leaveEmail(profile.email);
    const found = await lookUp(profile.email, profile.role);
    if (shown?._id !== found.user?._id && (found.kind === 'other' || found.kind === 'unconfirmed'))
      return setConfirming(profile.email);
    try {
      const created = await create.mutateAsync({ body: { ...profile, userId: (shown ?? found.user)?._id } });
      // The type says that there is a record with an id; a response needn't.
      if (!(created as Partial<typeof created> | null)?._id) return notify.error(noRecord);
      notify.success(`${profile.role} profile created successfully!`);
      reset(empty(profile.role));
      leaveEmail('');
    } catch (error) {
      return showProblem(error as ApiProblem);
    }
    // The profile exists by now, whatever happens to the role: its own notification says that.
    if (givesRole(found) && found.user) giveRole(found.user, profile.role);
  });

  return (
    <>
      <Header role={role} />
      <Card className="max-w-2xl">
        <form noValidate className="grid gap-5 sm:grid-cols-2" onSubmit={(event) => void submit(event)}>
          <SelectField
            label="Role"
            required
            className="sm:col-span-2"
            error={errors.role?.message}
            options={roleOptions}
            {...register('role', {
              onChange: (event: { target: { value: ProfileRole } }) => onRole(event.target.value),
            })}
          />
          <NameInput register={register} errors={errors} />
          <EmailInput register={register} error={errors.email?.message} onLeave={leaveEmail} />
          <div aria-live="polite" className="empty:hidden sm:col-span-2">
            <AccountOfEmail
              account={account}
              role={role}
              checked={givesRole(account)}
              asking={confirming !== undefined && confirming === email}
              onChange={setRoleToo}
            />
          </div>
          <QualificationInput register={register} errors={errors} hint="Degrees and boards, e.g. MBBS, FCPS" />
          <ExpertiseInput register={register} errors={errors} label={expertise} />
          <ExperienceInput register={() => register('experience', experienceRule)} errors={errors} />
          <div className="sm:col-span-2">
            <Button type="submit" busy={isSubmitting}>
              Create profile
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
}

/** The form, as a link or a draft of the same user fills it in. */
function useProfileForm() {
  const [search, setSearch] = useSearchParams();
  const requestedRole: ProfileRole = search.get('role') === 'pharmacist' ? 'pharmacist' : 'doctor';
  const { user } = useSession();
  // Fixed at the start: if the session ends in between, the draft still belongs to the same user.
  const [key] = useState(() => `createProfile ${user?.email ?? ''}`);
  const [typed] = useState(() => draftOf<ProfileForm>(key));
  const form = useForm<ProfileForm>({
    defaultValues: typed ? { ...typed, role: requestedRole } : empty(requestedRole),
  });
  useDraft(key, form.getValues);

  function onRole(role: ProfileRole): void {
    form.setValue('role', role);
    setSearch({ role }, { replace: true });
  }

  return { form, initialEmail: typed?.email ?? '', onRole };
}

interface EmailInputProps {
  readonly register: UseFormRegister<ProfileForm>;
  readonly error: string | undefined;
  readonly onLeave: (email: string) => void;
}

const EmailInput = ({ register, error, onLeave }: EmailInputProps) => (
  <TextField
    label="Email"
    required
    type="email"
    autoComplete="off"
    error={error}
    {...register('email', {
      required: 'Email is required',
      validate: (typed) => isTypedAddress(typed) || emailMessage,
      onBlur: (event: { target: { value: string } }) => onLeave(event.target.value),
    })}
  />
);

const Header = ({ role }: { readonly role: ProfileRole }) => (
  <PageHeader
    title="Create Profile"
    description="A new doctor appears in the directory straight away, and patients can book them."
    actions={
      <ButtonLink component={Link} variant="ghost" to={role === 'doctor' ? '/dash/doctors' : '/dash/pharmacists'}>
        {role === 'doctor' ? 'All doctors' : 'All pharmacists'}
      </ButtonLink>
    }
  />
);

/** @returns a function that gives the account of a new profile the role, too */
function useGiveRole(): (user: User, newRole: ProfileRole) => void {
  const { mutate } = useChange('changeRole', {
    invalidates: ['listUsers'],
    success: (user) => `${fullName(user)} is now ${knownLabel(roleLabels, user.role)}`,
  });
  return (user, newRole) => mutate({ params: { id: user._id }, body: { newRole, seen: standing(user) } });
}

/** Whose profile it is: the account with the email address, and whether it gets the role too. */
function useProfileAccount(initialEmail: string, role: ProfileRole) {
  const [email, setEmail] = useState(initialEmail);
  const account = useAccountOf(email, role);
  const lookUp = useAccountLookup();
  const [roleToo, setRoleToo] = useState<boolean>();
  // The account that waits for a choice, because the form was submitted before anybody saw that there is one.
  const [confirming, setConfirming] = useState<string>();
  // For a patient the profile implies the role; any other role is never replaced without asking.
  const givesRole = ({ kind, user: theirs }: AccountState): boolean =>
    kind === 'other' && (roleToo ?? theirs?.role === 'patient');

  function leaveEmail(typed: string): void {
    if (typed === email) return;
    setEmail(typed);
    // The answer was about another account.
    setRoleToo(undefined);
    setConfirming(undefined);
  }

  return { account, lookUp, confirming, setConfirming, givesRole, setRoleToo, email, leaveEmail };
}

export default definePage({ Component: CreateProfilePage });
