import { formatDate, formatTime, useNavigate } from '@clinic/app-kit';
import { ageOn, type User } from '@clinic/contracts';
import { maxReason } from '@clinic/svc-clinic/contract/limits';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, Card, TextField } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';
import { useController } from 'react-hook-form';
import { useDesk } from '../desk/use-desk.ts';
import { SameTimeDialog } from '../slots/same-time-dialog.tsx';
import { SlotChoice } from '../slots/slot-choice.tsx';
import { TimeChoice } from '../slots/time-choice.tsx';
import { WaitButton } from '../waitlist/wait-button.tsx';
import type { BookingField, BookingFields } from './booking-fields.ts';
import { NameQuestion, useNameQuestion } from './name-question.tsx';
import { PatientFields } from './patient-fields.tsx';
import { startOfBookings } from './staff-booking.ts';
import { partyOf, useBooking, useBookingForm, type BookingState } from './use-booking.ts';
import { VisitSummary } from './visit-summary.tsx';

const SeriesDialog = lazy(async () => ({ default: (await import('../series/series-dialog.tsx')).SeriesDialog }));

const ChoosePatient = lazy(async () => ({ default: (await import('./choose-patient.tsx')).ChoosePatient }));

const failed = 'failed to book';

/** What is repeated, and whose account staff saw. */
interface Repeated {
  readonly fields: BookingFields;
  readonly userId: string | undefined;
}

/** Books an appointment with one doctor; its texts are fixed (docs/product.md, Texts), unless the response was lost. */
export function BookingForm({ doctor }: { readonly doctor: Doctor }) {
  // Their own name and address are no guess at the patient's.
  const forOthers = useDesk();
  const form = useBookingForm(doctor, forOthers);
  const { busy, failure, error, sameTime, send, keepBoth, chooseAnother } = useBooking(doctor, forOthers, form);
  const nameQuestion = useNameQuestion();
  const [chosen, setChosen] = useState<User>();
  const [repeated, setRepeated] = useState<Repeated>();
  const navigate = useNavigate();
  const chosenAt = (email: string) => (chosen?.email === email ? chosen._id : undefined);
  const checked = (proceed: (fields: BookingFields, userId?: string) => void) =>
    void form.handleSubmit((fields) =>
      forOthers
        ? nameQuestion.check(fields, (found) => proceed(fields, chosenAt(fields.patientemail) ?? found))
        : proceed(fields),
    )();
  const trouble = failure ?? nameQuestion.failure;
  return (
    <Card>
      <form
        noValidate
        aria-label="Appointment"
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          checked(send);
        }}
      >
        <VisitSummary doctor={doctor} form={form} forOthers={forOthers} />
        {forOthers && <PatientChoice form={form} onChoose={setChosen} />}
        <Patient form={form} forOthers={forOthers} />
        <Slot doctor={doctor} form={form} />
        {trouble && (
          <Alert kind="error" title={failure && error && !error.emptyAnswer ? failureTitle(error, failed) : failed}>
            {trouble}
          </Alert>
        )}
        <p className="ui-hint">{forOthers ? `${doctor.name} will confirm it.` : patientsHint}</p>
        <Buttons
          form={form}
          doctor={doctor}
          busy={busy || nameQuestion.busy}
          onRepeat={forOthers ? () => checked((fields, userId) => setRepeated({ fields, userId })) : undefined}
        />
      </form>
      <WaitButton
        doctor={doctor}
        control={form.control}
        forOthers={forOthers}
        userIdAt={chosenAt}
        onChoose={(slot) => {
          form.setValue('date', slot.date, { shouldDirty: true });
          form.setValue('time', slot.time, { shouldDirty: true });
        }}
      />
      {repeated && (
        <Suspense>
          <SeriesDialog
            title={`Appointments for ${repeated.fields.patientname}`}
            whom={{ booking: partyOf(repeated.fields, doctor, repeated.userId), seen: undefined }}
            first={{ date: repeated.fields.date, time: repeated.fields.time }}
            suggested={8}
            onBooked={() => {
              form.clear();
              void navigate(startOfBookings());
            }}
            onClose={() => setRepeated(undefined)}
          />
        </Suspense>
      )}
      <NameQuestion {...nameQuestion} />
      <SameTimeDialog sameTime={sameTime} own={!forOthers} onConfirm={keepBoth} onCancel={chooseAnother} />
    </Card>
  );
}

const patientsHint = 'Your doctor will confirm it. You can move or cancel it until shortly before.';

interface ButtonsProps extends PartProps {
  readonly doctor: Doctor;
  readonly busy: boolean;
  /** Books several at once, for staff. */
  readonly onRepeat: (() => void) | undefined;
}

/** In reach wherever the form is longer than the window: pinned to its lower edge, above messages. */
function Buttons({ form: { date, time }, doctor, busy, onRepeat }: ButtonsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 max-lg:sticky max-lg:bottom-(--ui-notified,0px) max-lg:z-10 max-lg:-mx-[clamp(1.125rem,0.9rem+1vw,1.75rem)] max-lg:border-t max-lg:border-line max-lg:bg-base-100 max-lg:px-[clamp(1.125rem,0.9rem+1vw,1.75rem)] max-lg:py-3">
      <Button type="submit" size="lg" busy={busy} icon="calendar" className="max-sm:grow">
        Book Appointment
      </Button>
      {onRepeat && (
        <Button size="lg" variant="secondary" icon="refresh" onClick={onRepeat}>
          Repeat
        </Button>
      )}
      {date && time && (
        <strong className="max-lg:hidden">
          {formatDate(date)} at {formatTime(time)}, with {doctor.name}
        </strong>
      )}
    </div>
  );
}

interface PartProps {
  readonly form: BookingState;
}

/** Lets an admin choose the patient's account; they can still change what it fills in. */
function PatientChoice({
  form: { today, setValue, formState },
  onChoose,
}: PartProps & { readonly onChoose: (user: User) => void }) {
  function bookFor(user: User): void {
    const { firstName, lastName, email, phone, dateOfBirth, address } = user;
    onChoose(user);
    const known = {
      patientname: `${firstName} ${lastName}`.trim(),
      patientemail: email,
      number: phone,
      address: address ?? '',
      age: dateOfBirth ? String(ageOn(today, dateOfBirth)) : '',
    };
    for (const [name, value] of Object.entries(known) as [BookingField, string][])
      setValue(name, value, { shouldDirty: true, shouldValidate: formState.errors[name] !== undefined });
  }
  return (
    <Suspense>
      <ChoosePatient onChoose={bookFor} />
    </Suspense>
  );
}

function Patient({ form, forOthers }: PartProps & { readonly forOthers: boolean }) {
  const {
    register,
    rules,
    formState: { errors },
  } = form;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <PatientFields
        own={!forOthers}
        field={(name) => ({ error: errors[name]?.message, ...register(name, rules[name]) })}
      >
        <TextField
          label="Email"
          type="email"
          required
          readOnly={!forOthers}
          autoComplete={forOthers ? 'off' : 'email'}
          error={errors.patientemail?.message}
          hint={forOthers ? 'The patient’s account.' : 'Your account’s email address.'}
          {...register('patientemail', rules.patientemail)}
        />
      </PatientFields>
      <TextField
        className="sm:col-span-2"
        label="Reason for the visit (optional)"
        autoComplete="off"
        maxLength={maxReason}
        hint={`A few words help ${forOthers ? 'the' : 'your'} doctor prepare. ${forOthers ? 'The' : 'Your'} doctor and the clinic’s admins can read them.`}
        error={errors.reason?.message}
        {...register('reason')}
      />
    </div>
  );
}

function Slot({ doctor, form }: PartProps & { readonly doctor: Doctor }) {
  const {
    register,
    setValue,
    control,
    rules,
    date,
    today,
    bookable,
    free,
    formState: { errors },
  } = form;
  const {
    field: { ref: timeRef, ...timeField },
    fieldState: timeState,
  } = useController({ name: 'time', control, rules: rules.time });
  return (
    <SlotChoice
      doctor={doctor}
      today={today}
      date={date}
      dateError={errors.date?.message}
      loading={free.loading}
      dateField={register('date', rules.date)}
      onTime={timeField.onChange}
      onDate={(day) => setValue('date', day, { shouldDirty: true, shouldValidate: errors.date !== undefined })}
    >
      <TimeChoice
        date={bookable}
        free={free}
        value={timeField.value}
        onChange={timeField.onChange}
        onBlur={timeField.onBlur}
        ref={timeRef}
        error={timeState.error?.message}
        taken={timeState.error?.type === 'server'}
      />
    </SlotChoice>
  );
}
