import { formatDate, formatTime, Link, useCall } from '@clinic/app-kit';
import { useChange, useCloseQuestion } from '@clinic/app-kit/records';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { ButtonLink, Dialog, ErrorState, Spinner, TextField } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { ProfileEditor } from '../profiles/profile-editor.tsx';
import { experienceRule, formerValues, type ProfileFields } from '../profiles/profile-form.ts';
import { ExperienceInput, ExpertiseInput, NameInput, QualificationInput } from '../profiles/profile-inputs.tsx';

interface DoctorForm extends ProfileFields {
  readonly education: string;
  readonly location: string;
}

interface DoctorDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A doctor's profile, to read and edit. */
export function DoctorDialog({ id, onClose }: DoctorDialogProps) {
  const answer = useCall('listDoctors', { query: { _id: id } });
  const doctor = answer.data as Doctor | undefined;
  const [unsaved, setUnsaved] = useState(false);
  const { close, question } = useCloseQuestion(unsaved, onClose);
  return (
    <Dialog open wide title={doctor ? doctor.name : 'Profile'} onClose={close}>
      {answer.isPending && <Spinner />}
      {answer.error && !doctor && (
        <ErrorState title="Error loading profile" text={answer.error.message} onRetry={() => void answer.refetch()} />
      )}
      {doctor && (
        <div className="grid gap-8">
          <DoctorForm doctor={doctor} onUnsaved={setUnsaved} />
          <hr className="border-line" />
          <Hours doctor={doctor} />
        </div>
      )}
      <ConfirmDialog {...question}>
        Your changes to the profile of {doctor?.name ?? 'this doctor'} aren’t saved yet.
      </ConfirmDialog>
    </Dialog>
  );
}

/** When the doctor can be booked; the hours have a page of their own. */
function Hours({ doctor: { _id, isAvailable, nextFree } }: { readonly doctor: Doctor }) {
  return (
    <section aria-labelledby="doctor-hours" className="grid justify-items-start gap-3">
      <h3 id="doctor-hours" className="font-semibold text-base-content">
        Hours
      </h3>
      <p>
        {isAvailable ? 'Takes appointments.' : 'Takes no appointments.'}
        {isAvailable && nextFree && ` Next free on ${formatDate(nextFree.date)} at ${formatTime(nextFree.time)}.`}
      </p>
      <ButtonLink component={Link} variant="secondary" icon="clock" to={`/dash/schedules?doctor=${_id}`}>
        Hours and time off
      </ButtonLink>
    </section>
  );
}

interface DoctorFormProps {
  readonly doctor: Doctor;
  /** Called when edits begin, and when they are saved. */
  readonly onUnsaved: (unsaved: boolean) => void;
}

function DoctorForm({ doctor, onUnsaved }: DoctorFormProps) {
  const { name, qualification, specialization, experience, education, location } = doctor;
  const values: DoctorForm = { name, qualification, specialization, experience, education, location };
  const form = useForm<DoctorForm>({ values, resetOptions: { keepDirtyValues: true } });
  const {
    register,
    formState: { errors, isDirty },
  } = form;
  const report = useEffectEvent(onUnsaved);
  useEffect(() => report(isDirty), [isDirty]);
  const save = useChange('changeDoctor', {
    invalidates: ['listDoctors'],
    success: (saved) => `The profile of ${saved.name} is saved`,
    undo: (_, { params, body = {} }) => ({
      call: 'changeDoctor',
      input: { params, body: formerValues(values, body) },
      done: `The profile of ${doctor.name} is as it was`,
    }),
  });

  return (
    <ProfileEditor
      form={form}
      values={values}
      email={doctor.email}
      because="because the account and the appointments depend on it"
      save={(body) => save.mutateAsync({ params: { id: doctor._id }, body })}
    >
      <NameInput register={register} errors={errors} />
      <ExpertiseInput register={register} errors={errors} label="Specialization" />
      <QualificationInput register={register} errors={errors} />
      <TextField label="Education" error={errors.education?.message} {...register('education')} />
      <ExperienceInput register={() => register('experience', experienceRule)} errors={errors} />
      <TextField label="Location" error={errors.location?.message} {...register('location')} />
    </ProfileEditor>
  );
}
