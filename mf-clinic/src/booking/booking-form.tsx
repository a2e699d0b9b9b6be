import {
  draftOf,
  formatDate,
  formatTime,
  notify,
  useDraft,
  useNavigate,
  useQueryClient,
  useSearchParams,
  useSession,
  type ApiProblem,
} from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { ageOn, type Doctor, type FieldError, type SameTime, type User } from '@clinic/contracts';
import { maxReason } from '@clinic/contracts/limits';
import { Alert, Button, Card, TextField } from '@clinic/ui';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
import { SameTimeDialog } from '../slots/same-time-dialog.tsx';
import { SlotChoice } from '../slots/slot-choice.tsx';
import { TimeChoice } from '../slots/time-choice.tsx';
import { useSlot } from '../slots/use-slot.ts';
import { WaitButton } from '../waitlist/wait-button.tsx';
import {
  bookingRules,
  emptyBooking,
  isField,
  slotFrom,
  type BookingField,
  type BookingFields,
} from './booking-fields.ts';
import { PatientFields } from './patient-fields.tsx';
import { useFilledIn } from './use-filled-in.ts';

const SeriesDialog = lazy(async () => ({ default: (await import('../series/series-dialog.tsx')).SeriesDialog }));

const ChoosePatient = lazy(async () => ({ default: (await import('./choose-patient.tsx')).ChoosePatient }));

/** The form's fields: with what was typed before, what is known about the patient, and the chosen slot. */
function useBookingForm(doctor: Doctor) {
  const { user } = useSession();
  const [search] = useSearchParams();
  const [draft] = useState(() => `booking ${user?.email ?? ''} ${doctor._id}`);
  const booked = useRef(false);
  const form = useForm<BookingFields>({
    defaultValues: {
      ...emptyBooking,
      patientname: user ? `${user.firstName} ${user.lastName}`.trim() : '',
      patientemail: user?.email ?? '',
      ...draftOf<BookingFields>(draft),
      // A time chosen in the directory.
      ...slotFrom(search),
    },
  });
  const { control, getValues, setValue, reset } = form;
  useFilledIn(form);
  // An expired session leads to the login page and back, and viewing another doctor is no reason to type the address
  // again.
  useDraft(
    draft,
    useCallback(() => (booked.current ? undefined : getValues()), [getValues]),
  );
  const date = useWatch({ control, name: 'date' });
  const time = useWatch({ control, name: 'time' });
  const dropTime = useCallback(() => setValue('time', ''), [setValue]);
  const slot = useSlot(doctor, date, time, dropTime);
  const clear = (): void => {
    booked.current = true;
    reset(emptyBooking);
  };
  return { ...form, ...slot, date, time, clear, rules: bookingRules(slot.today, doctor.bookableUntil) };
}

type BookingState = ReturnType<typeof useBookingForm>;

/** Shows errors at their fields, and moves to the first. @returns the messages of the others */
function showAtFields(errors: readonly FieldError[], setError: BookingState['setError']): string[] {
  const here = errors.filter(({ field }) => isField(field));
  for (const { field, message } of here)
    setError(field as BookingField, { type: 'server', message }, { shouldFocus: field === here[0]?.field });
  return errors.filter(({ field }) => !isField(field)).map(({ message }) => message);
}

function bodyOf({ reason, ...fields }: BookingFields, doctor: Doctor) {
  return {
    ...fields,
    age: Number(fields.age),
    ...(reason.trim() && { reason: reason.trim() }),
    doctorname: doctor.name,
    doctoremail: doctor.email,
    status: 'Pending',
  };
}

/** Patient and doctor of several appointments, whose dates are chosen next. */
function partyOf({ patientname, patientemail, address, number, age, reason }: BookingFields, doctor: Doctor) {
  return {
    patientname,
    patientemail,
    address,
    number,
    age: Number(age),
    ...(reason.trim() && { reason: reason.trim() }),
    doctoremail: doctor.email,
  };
}

/** Sends the form, and shows the service's response in it. */
function useBooking(doctor: Doctor, { getValues, setError, setValue, clear, date, free }: BookingState) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const [sameTime, setSameTime] = useState<SameTime>();
  const sending = useRef(false);

  const book = useChange('bookAppointment', {
    invalidates: ['listAppointments', 'listUnconfirmedAppointments'],
    failure: false,
    onDone: (appointment) => {
      // Whatever is no appointment is no success: an empty object, for example.
      if (!appointment?._id) {
        setFailure('We couldn’t confirm your booking. Check your appointments before you try again.');
        return;
      }
      notify.success('appoinment created');
      clear();
      for (const call of ['listFreeTimes', 'listFreeDays'])
        void client.invalidateQueries({ queryKey: [call], refetchType: 'none' });
      void navigate('/dash/doctorAppoinments', { state: { booked: appointment } });
    },
    onError: showFailure,
  });

  function showFailure(problem: ApiProblem): void {
    if (problem.problem.sameTime?.canConfirm) {
      setSameTime(problem.problem.sameTime);
      return;
    }
    setFailure(
      problem.problem.code === 'slot_taken' ? `${problem.problem.title}. ${problem.message}` : problem.message,
    );
    const elsewhere = showAtFields(problem.problem.errors ?? [], setError);
    if (elsewhere.length > 0) setFailure(elsewhere.join('. '));
    if (problem.code === 'slot_taken') {
      free.replace(date, problem.problem.freeTimes ?? []);
      void client.invalidateQueries({ queryKey: ['listFreeDays'] });
      if (!free.anyTime) setValue('time', '');
      setError('time', { type: 'server', message: 'Choose another time' });
    }
  }

  /** @param alsoThen - the patient wants this appointment in addition to another one at that time */
  function send(fields: BookingFields, alsoThen?: true): void {
    // A second press may come before the button looks busy.
    if (sending.current) return;
    sending.current = true;
    setFailure(undefined);
    book.mutate(
      { body: { ...bodyOf(fields, doctor), ...(alsoThen && { alsoThen }) } },
      { onSettled: () => void (sending.current = false) },
    );
  }

  function keepBoth(): void {
    setSameTime(undefined);
    send(getValues(), true);
  }

  function chooseAnother(): void {
    setSameTime(undefined);
    setError('time', { type: 'server', message: 'Choose another time' });
  }

  return { busy: book.isPending, failure, sameTime, send, keepBoth, chooseAnother };
}

/** Books an appointment with one doctor; its texts are fixed (docs/product.md, Texts). */
export function BookingForm({ doctor }: { readonly doctor: Doctor }) {
  const forOthers = useSession().role === 'admin';
  const form = useBookingForm(doctor);
  const { busy, failure, sameTime, send, keepBoth, chooseAnother } = useBooking(doctor, form);
  const { date, time } = form;
  const [repeated, setRepeated] = useState<BookingFields>();
  const navigate = useNavigate();
  return (
    <Card>
      <form
        noValidate
        aria-label="Appointment"
        className="grid gap-6"
        onSubmit={(event) => void form.handleSubmit((fields) => send(fields))(event)}
      >
        {forOthers && <PatientChoice form={form} />}
        <Patient form={form} forOthers={forOthers} />
        <Slot doctor={doctor} form={form} />
        {failure && (
          <Alert kind="error" title="failed to book">
            {failure}
          </Alert>
        )}
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button type="submit" size="lg" busy={busy} icon="calendar">
            Book Appointment
          </Button>
          {forOthers && (
            <Button
              size="lg"
              variant="secondary"
              icon="refresh"
              onClick={() => void form.handleSubmit((fields) => setRepeated(fields))()}
            >
              Repeat
            </Button>
          )}
          <p className="ui-hint">
            {date && time && (
              <strong className="block text-base-content">
                {formatDate(date)} at {formatTime(time)}, with {doctor.name}
              </strong>
            )}
            Your doctor will confirm it. You can move or cancel it until shortly before.
          </p>
        </div>
      </form>
      <WaitButton doctor={doctor} fields={form.getValues} />
      {repeated && (
        <Suspense>
          <SeriesDialog
            title={`Appointments for ${repeated.patientname}`}
            whom={{ booking: partyOf(repeated, doctor) }}
            first={{ date: repeated.date, time: repeated.time }}
            suggested={8}
            onBooked={() => {
              form.clear();
              void navigate('/dash/appoinments');
            }}
            onClose={() => setRepeated(undefined)}
          />
        </Suspense>
      )}
      <SameTimeDialog sameTime={sameTime} own={!forOthers} onConfirm={keepBoth} onCancel={chooseAnother} />
    </Card>
  );
}

interface PartProps {
  readonly form: BookingState;
}

/** Lets an admin choose the patient's account; they can still change what it fills in. */
function PatientChoice({ form: { today, setValue, formState } }: PartProps) {
  function bookFor({ firstName, lastName, email, phone, dateOfBirth, address }: User): void {
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
      <PatientFields own field={(name) => ({ error: errors[name]?.message, ...register(name, rules[name]) })}>
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
        hint="A few words help your doctor prepare. Your doctor and the clinic’s admins can read them."
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
