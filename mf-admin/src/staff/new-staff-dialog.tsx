import { api, ApiProblem, useQueryClient } from '@clinic/app-kit';
import type { CallBody, User } from '@clinic/contracts';
import { Alert, Button, Dialog } from '@clinic/ui';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { experienceRule } from '../profiles/profile-form.ts';
import { fullName } from '../users/user-names.ts';
import { ProfileFieldset, type NewProfileFields } from './profile-fields.tsx';
import { WorkingTimes } from './working-times.tsx';

export interface Joining {
  readonly user: User;
  readonly role: 'doctor' | 'pharmacist';
  /** Gives them the role. @throws ApiProblem */
  readonly act: () => Promise<unknown>;
}

interface NewStaffDialogProps {
  readonly joining: Joining;
  readonly onDone: () => void;
  /** The role wasn't given. */
  readonly onCancel: () => void;
}

/** Asks for the profile of somebody who gets a role that needs one: a doctor without a profile couldn't be booked. */
export function NewStaffDialog({ joining: { user, role, act }, onDone, onCancel }: NewStaffDialogProps) {
  const client = useQueryClient();
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, isSubmitting },
  } = useForm<NewProfileFields>({
    defaultValues: {
      name: fullName(user),
      qualification: '',
      specialization: '',
      experience: Number.NaN,
      location: '',
    },
  });
  const [times, setTimes] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();

  const submit = handleSubmit(async ({ location, ...profile }) => {
    setFailure(undefined);
    try {
      await createProfile({ ...profile, email: user.email, role });
      if (role === 'doctor') await completeDoctor(user.email, location, times);
      // Last, because this dialog is there to prevent a role without a profile.
      await act();
      for (const list of ['listDoctors', 'listPharmacists']) void client.invalidateQueries({ queryKey: [list] });
      onDone();
    } catch (error) {
      console.error('The role could not be assigned', error);
      const problem = error instanceof ApiProblem ? error : undefined;
      for (const { field, message } of problem?.problem.errors ?? []) {
        if (
          field === 'name' ||
          field === 'qualification' ||
          field === 'specialization' ||
          field === 'experience' ||
          field === 'location'
        )
          setError(field, { message });
      }
      setFailure(problem?.message ?? 'Something went wrong. Try again.');
    }
  });

  return (
    <Dialog
      open
      wide
      title={`${fullName(user)} needs a profile`}
      onClose={() => {
        if (!isSubmitting) onCancel();
      }}
    >
      <form noValidate className="grid gap-6" onSubmit={(event) => void submit(event)}>
        <p>
          {role === 'doctor' ? 'Patients find doctors by their profile.' : 'Every pharmacist has a profile.'} They get
          the role and the profile together.
        </p>
        <ProfileFieldset
          role={role}
          register={register}
          experience={register('experience', experienceRule)}
          errors={errors}
        />
        {role === 'doctor' && <WorkingTimes values={times} onChange={setTimes} />}
        {failure && (
          <Alert kind="error" title={`${fullName(user)} isn’t a ${role} yet`}>
            {failure}
          </Alert>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            variant="ghost"
            onClick={() => {
              if (!isSubmitting) onCancel();
            }}
          >
            Go back
          </Button>
          <Button type="submit" busy={isSubmitting}>
            Save and give the role
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A profile created by an earlier attempt will do. */
async function createProfile(body: CallBody<'createProfile'>): Promise<void> {
  try {
    await api.call('createProfile', { body });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'duplicate') throw error;
  }
}

async function completeDoctor(email: string, location: string, availableTimes: readonly string[]): Promise<void> {
  const [doctor] = await api.call('getProfiles', { params: { email } });
  if (!doctor) throw new Error(`There is no profile of ${email}`);
  const params = { id: doctor._id };
  if (availableTimes.length > 0)
    await api.call('changeAvailability', { params, body: { availableTimes: [...availableTimes] } });
  if (location !== '') await api.call('changeDoctor', { params, body: { location } });
}
