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
import type { Doctor, SameTime, User } from '@clinic/contracts';
import { maxReason } from '@clinic/contracts/limits';
import { Alert, Button, Card, NumberField, TextField } from '@clinic/ui';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
import { SameTimeDialog } from '../slots/same-time-dialog.tsx';
import { SlotChoice } from '../slots/slot-choice.tsx';
import { TimeChoice } from '../slots/time-choice.tsx';
import { useSlot } from '../slots/use-slot.ts';
import { ageOn } from './age-on.ts';
import { bookingRules, type BookingField, type BookingFields } from './booking-fields.ts';
import { slotFrom } from './slot-from.ts';
import { useFilledIn } from './use-filled-in.ts';

const empty: BookingFields = {
  patientname: '',
  patientemail: '',
  age: '',
  number: '',
  address: '',
  reason: '',
  date: '',
  time: '',
};
const ChoosePatient = lazy(async () => ({ default: (await import('./choose-patient.tsx')).ChoosePatient }));

const isField = (name: string): name is BookingField => Object.hasOwn(empty, name);

/** Books an appointment with one doctor; its texts are fixed (docs/product.md, Texts). */
export function BookingForm({ doctor }: { readonly doctor: Doctor }) {
  const { user, role } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const [failure, setFailure] = useState<string>();
  const [sameTime, setSameTime] = useState<SameTime>();
  const sending = useRef(false);
  const booked = useRef(false);
  const [draft] = useState(() => `booking ${user?.email ?? ''} ${doctor._id}`);

  const {
    register,
    getValues,
    handleSubmit,
    reset,
    setError,
    setValue,
    control,
    formState: { errors },
  } = useForm<BookingFields>({
    defaultValues: {
      ...empty,
      patientname: user ? `${user.firstName} ${user.lastName}`.trim() : '',
      patientemail: user?.email ?? '',
      ...draftOf<BookingFields>(draft),
      // A time chosen in the directory.
      ...slotFrom(search),
    },
  });
  useFilledIn({ control, getValues, setValue });
  // An expired session leads to the login page and back, and viewing another doctor is no reason to type the address again.
  useDraft(
    draft,
    useCallback(() => (booked.current ? undefined : getValues()), [getValues]),
  );
  const date = useWatch({ control, name: 'date' });
  const time = useWatch({ control, name: 'time' });
  const dropTime = useCallback(() => setValue('time', ''), [setValue]);
  const { today, bookable, free } = useSlot(doctor, date, time, dropTime);
  const rules = bookingRules(today, doctor.bookableUntil);
  const {
    field: { ref: timeRef, ...timeField },
    fieldState: timeState,
  } = useController({ name: 'time', control, rules: rules.time });

  const book = useChange('bookAppointment', {
    invalidates: ['listAppointments', 'listUnconfirmedAppointments'],
    failure: false,
    onDone: (appointment) => {
      // Whatever is no appointment is no success: an empty object, for example.
      if (!appointment?._id) {
        setFailure('We couldn’t confirm your booking. Check your appointments before you try again.');
        return;
      }
      booked.current = true;
      notify.success('appoinment created');
      reset(empty);
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
    const elsewhere: string[] = [];
    let focused = false;
    for (const { field, message } of problem.problem.errors ?? []) {
      if (isField(field)) {
        setError(field, { type: 'server', message }, { shouldFocus: !focused });
        focused = true;
      } else elsewhere.push(message);
    }
    if (elsewhere.length > 0) setFailure(elsewhere.join('. '));
    if (problem.code === 'slot_taken') {
      free.replace(date, problem.problem.freeTimes ?? []);
      void client.invalidateQueries({ queryKey: ['listFreeDays'] });
      if (!free.anyTime) setValue('time', '');
      setError('time', { type: 'server', message: 'Choose another time' });
    }
  }

  /** @param alsoThen - the patient wants this appointment in addition to another one at that time */
  function send({ reason, ...fields }: BookingFields, alsoThen?: true): void {
    // A second press may come before the button looks busy.
    if (sending.current) return;
    sending.current = true;
    setFailure(undefined);
    const body = {
      ...fields,
      age: Number(fields.age),
      ...(reason.trim() && { reason: reason.trim() }),
      doctorname: doctor.name,
      doctoremail: doctor.email,
      status: 'Pending',
      ...(alsoThen && { alsoThen }),
    };
    book.mutate(
      { body },
      {
        onSettled: () => {
          sending.current = false;
        },
      },
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

  /** Takes over what the account says; the admin can still change it. */
  function bookFor({ firstName, lastName, email, phone, dateOfBirth, address }: User): void {
    const known = {
      patientname: `${firstName} ${lastName}`.trim(),
      patientemail: email,
      number: phone,
      address: address ?? '',
      age: dateOfBirth ? String(ageOn(today, dateOfBirth)) : '',
    };
    for (const [name, value] of Object.entries(known) as [BookingField, string][])
      setValue(name, value, { shouldDirty: true, shouldValidate: errors[name] !== undefined });
  }

  const forOthers = role === 'admin';
  return (
    <Card>
      <form
        noValidate
        aria-label="Appointment"
        className="grid gap-6"
        onSubmit={(event) => void handleSubmit((fields) => send(fields))(event)}
      >
        {forOthers && (
          <Suspense>
            <ChoosePatient onChoose={bookFor} />
          </Suspense>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Patient name"
            required
            autoComplete="name"
            maxLength={200}
            error={errors.patientname?.message}
            {...register('patientname', rules.patientname)}
          />
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
          <NumberField
            label="Age"
            required
            min={1}
            max={150}
            error={errors.age?.message}
            {...register('age', rules.age)}
          />
          <TextField
            label="Phone number"
            type="tel"
            required
            autoComplete="tel"
            maxLength={33}
            error={errors.number?.message}
            {...register('number', rules.number)}
          />
          <TextField
            className="sm:col-span-2"
            label="Address"
            required
            autoComplete="street-address"
            maxLength={200}
            error={errors.address?.message}
            {...register('address', rules.address)}
          />
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
            takenAway={timeState.error?.type === 'server'}
          />
        </SlotChoice>
        {failure && (
          <Alert kind="error" title="failed to book">
            {failure}
          </Alert>
        )}
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button type="submit" size="lg" busy={book.isPending} icon="calendar">
            Book Appointment
          </Button>
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
      <SameTimeDialog sameTime={sameTime} own={!forOthers} onConfirm={keepBoth} onCancel={chooseAnother} />
    </Card>
  );
}
