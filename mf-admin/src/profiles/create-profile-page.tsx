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
import { roleLabels } from '@clinic/contracts';
import { Button, ButtonLink, Card, NumberField, PageHeader, SelectField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { fullName } from '../users/user-names.ts';
import { AccountOfEmail, useAccountLookup, useAccountOf, type AccountState } from './account-of-email.tsx';
import { experienceRule } from './profile-form.ts';
import '../setup.ts';

type ProfileRole = 'doctor' | 'pharmacist';

interface ProfileForm {
  name: string;
  email: string;
  qualification: string;
  specialization: string;
  experience: number;
  role: ProfileRole;
}

const empty = (role: ProfileRole): ProfileForm => ({
  name: '',
  email: '',
  qualification: '',
  specialization: '',
  experience: Number.NaN,
  role,
});
const fields = ['name', 'email', 'qualification', 'specialization', 'experience', 'role'] as const;

/** Create Profile (`/dash/createProfile`): adds a doctor to the directory, or a pharmacist to the staff. Every field is required. */
export function CreateProfilePage() {
  const [search, setSearch] = useSearchParams();
  const requestedRole: ProfileRole = search.get('role') === 'pharmacist' ? 'pharmacist' : 'doctor';
  const { user } = useSession();
  // Fixed at the start: if the session ends in between, the draft still belongs to the same user.
  const [key] = useState(() => `createProfile ${user?.email ?? ''}`);
  const [typed] = useState(() => draftOf<ProfileForm>(key));
  const {
    register,
    handleSubmit,
    reset,
    setError,
    setValue,
    getValues,
    control,
    formState: { errors, isSubmitting },
  } = useForm<ProfileForm>({ defaultValues: typed ? { ...typed, role: requestedRole } : empty(requestedRole) });
  useDraft(key, getValues);
  const role = useWatch({ control, name: 'role' });
  const expertise = role === 'pharmacist' ? 'Area of Expertise' : 'Specialization';
  const create = useChange('createProfile', { invalidates: ['listDoctors', 'listPharmacists'], failure: false });
  const changeRole = useChange('changeRole', {
    invalidates: ['listUsers'],
    success: (user) => `${fullName(user)} is now ${roleLabels[user.role]}`,
  });
  const [email, setEmail] = useState(typed?.email ?? '');
  const account = useAccountOf(email, role);
  const lookUp = useAccountLookup();
  const [roleToo, setRoleToo] = useState<boolean>();
  // The account that waits for a choice, because the form was submitted before anybody saw that there is one.
  const [asked, setAsked] = useState<string>();
  // For a patient the profile implies the role; any other role is never replaced without asking.
  const givesRole = ({ kind, user: theirs }: AccountState): boolean =>
    kind === 'other' && (roleToo ?? theirs?.role === 'patient');

  function leaveEmail(typed: string): void {
    if (typed === email) return;
    setEmail(typed);
    // The answer was about another account.
    setRoleToo(undefined);
    setAsked(undefined);
  }

  function showProblem(problem: ApiProblem): void {
    for (const { field, message } of problem.problem.errors ?? []) {
      const name = fields.find((candidate) => candidate === field);
      if (name) setError(name, { message }, { shouldFocus: true });
    }
    notify.error(`Error creating profile: ${problem.message}`);
  }

  const submit = handleSubmit(async (profile) => {
    const seen = profile.email === email && account.kind !== 'unknown';
    leaveEmail(profile.email);
    const found = await lookUp(profile.email, profile.role);
    if (!seen && (found.kind === 'other' || found.kind === 'unconfirmed')) return setAsked(profile.email);
    try {
      const created = await create.mutateAsync({ body: profile });
      // The fixed text for a response without a record (docs/product.md, Texts).
      if (!created) return notify.error('Failed to create profile');
      notify.success(`${profile.role} profile created successfully!`);
      reset(empty(profile.role));
      leaveEmail('');
    } catch (error) {
      return showProblem(error as ApiProblem);
    }
    // The profile exists by now, whatever happens to the role: its own notification says that.
    if (givesRole(found) && found.user)
      changeRole.mutate({ params: { id: found.user._id }, body: { newRole: profile.role } });
  });

  return (
    <>
      <PageHeader
        title="Create Profile"
        description="A new doctor appears in the directory straight away, and patients can book them."
        actions={
          <ButtonLink component={Link} variant="ghost" to={role === 'doctor' ? '/dash/doctors' : '/dash/pharmacists'}>
            {role === 'doctor' ? 'All doctors' : 'All pharmacists'}
          </ButtonLink>
        }
      />
      <Card className="max-w-2xl">
        <form noValidate className="grid gap-5 sm:grid-cols-2" onSubmit={(event) => void submit(event)}>
          <SelectField
            label="Role"
            required
            className="sm:col-span-2"
            error={errors.role?.message}
            options={[
              { value: 'doctor', label: 'Doctor' },
              { value: 'pharmacist', label: 'Pharmacist' },
            ]}
            {...register('role', {
              onChange: (event: { target: { value: ProfileRole } }) => {
                setValue('role', event.target.value);
                setSearch({ role: event.target.value }, { replace: true });
              },
            })}
          />
          <TextField
            label="Name"
            required
            autoComplete="off"
            error={errors.name?.message}
            {...register('name', { required: 'Name is required' })}
          />
          <TextField
            label="Email"
            required
            type="email"
            autoComplete="off"
            error={errors.email?.message}
            {...register('email', {
              required: 'Email is required',
              pattern: { value: /^\S+@\S+\.\S+$/, message: 'Enter an email address like name@example.com' },
              onBlur: (event: { target: { value: string } }) => leaveEmail(event.target.value),
            })}
          />
          <div aria-live="polite" className="empty:hidden sm:col-span-2">
            <AccountOfEmail
              account={account}
              role={role}
              checked={givesRole(account)}
              asking={asked !== undefined && asked === email}
              onChange={setRoleToo}
            />
          </div>
          <TextField
            label="Qualification"
            required
            hint="Degrees and boards, e.g. MBBS, FCPS"
            error={errors.qualification?.message}
            {...register('qualification', { required: 'Qualification is required' })}
          />
          <TextField
            label={expertise}
            required
            error={errors.specialization?.message}
            {...register('specialization', { required: `${expertise} is required` })}
          />
          <NumberField
            label="Experience (years)"
            required
            min={0}
            error={errors.experience?.message}
            {...register('experience', experienceRule)}
          />
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

export default definePage({ Component: CreateProfilePage });
