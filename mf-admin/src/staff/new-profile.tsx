import { api, ApiProblem, useQueryClient } from '@clinic/app-kit';
import type { CallBody, User } from '@clinic/contracts';
import { useImperativeHandle, type Ref } from 'react';
import { useForm } from 'react-hook-form';
import { eachFieldError, experienceRule } from '../profiles/profile-form.ts';
import { fullName } from '../users/user-names.ts';
import { ProfileFieldset, type NewProfileFields } from './profile-fields.tsx';
import { profileOf } from './profile-of.ts';

/** What the dialog around a {@link NewProfile} does with it. */
export interface NewProfileHandle {
  /** Shows what is missing. @returns whether the profile can be saved */
  readonly check: () => Promise<boolean>;
  /** Creates the profile, and shows the server's errors beside their fields. @throws ApiProblem */
  readonly save: () => Promise<void>;
}

interface NewProfileProps {
  readonly user: User;
  readonly role: 'doctor' | 'pharmacist';
  readonly ref: Ref<NewProfileHandle>;
}

/** The fields of the profile that somebody needs for a new role: a doctor without a profile couldn't be booked. */
export function NewProfile({ user, role, ref }: NewProfileProps) {
  const client = useQueryClient();
  const {
    register,
    handleSubmit,
    getValues,
    setError,
    formState: { errors },
  } = useForm<NewProfileFields>({
    defaultValues: {
      name: fullName(user),
      qualification: '',
      specialization: '',
      experience: Number.NaN,
      location: '',
    },
  });

  async function check(): Promise<boolean> {
    let valid = false;
    // Like a form's own submit: the first wrong field gets the focus, and its message goes when it is corrected.
    await handleSubmit(() => {
      valid = true;
    })();
    return valid;
  }

  async function save(): Promise<void> {
    const { location, ...profile } = getValues();
    try {
      const id = await createProfile(user, { ...profile, email: user.email, userId: user._id, role });
      if (role === 'doctor' && location !== '') await api.call('changeDoctor', { params: { id }, body: { location } });
      for (const list of ['listDoctors', 'listPharmacists']) void client.invalidateQueries({ queryKey: [list] });
    } catch (error) {
      if (error instanceof ApiProblem)
        eachFieldError(error, getValues(), (field, message) => setError(field, { message }));
      throw error;
    }
  }
  useImperativeHandle(ref, () => ({ check, save }));

  return (
    <div className="grid gap-6">
      <p>
        {role === 'doctor' ? 'Patients find doctors by their profile.' : 'Every pharmacist has a profile.'} They get the
        role and the profile together.
      </p>
      <ProfileFieldset
        role={role}
        register={register}
        experience={() => register('experience', experienceRule)}
        errors={errors}
      />
      {role === 'doctor' && (
        <p className="ui-hint">
          Patients can book them once they have hours: they set them in My Profile, or you do in Hours and Holidays.
        </p>
      )}
    </div>
  );
}

/** A profile created by an earlier attempt will do; not that of somebody else who had the address before. @returns its id */
async function createProfile(user: User, body: CallBody<'createProfile'>): Promise<string> {
  try {
    return (await api.call('createProfile', { body }))._id;
  } catch (error) {
    const exists = error instanceof ApiProblem && error.code === 'duplicate';
    const own = exists ? await profileOf(user, body.role) : undefined;
    if (!own) throw error;
    return own._id;
  }
}
