import {
  draftOf,
  notify,
  useDraft,
  useNavigate,
  useQueryClient,
  useSearchParams,
  useSession,
  type ApiProblem,
} from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { FieldError } from '@clinic/contracts';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';
import type { SameTime } from '@clinic/svc-clinic/contract/problems';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useSlot } from '../slots/use-slot.ts';
import {
  aboutVisit,
  bookingRules,
  emptyBooking,
  isField,
  slotFrom,
  type BookingField,
  type BookingFields,
} from './booking-fields.ts';
import { startOfBookings } from './staff-booking.ts';
import { useFilledIn } from './use-filled-in.ts';

/**
 * The form's fields: with what was typed before, what is known about the patient, and the chosen slot.
 *
 * @param forOthers - nothing is known about the patient
 */
export function useBookingForm(doctor: Doctor, forOthers: boolean) {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const [draft] = useState(() => `booking ${user?.email ?? ''} ${doctor._id}`);
  const booked = useRef(false);
  const form = useForm<BookingFields>({
    defaultValues: {
      ...emptyBooking,
      ...(user && !forOthers && { patientname: `${user.firstName} ${user.lastName}`.trim(), patientemail: user.email }),
      ...draftOf<BookingFields>(draft),
      // A time chosen in the directory.
      ...slotFrom(search),
    },
  });
  const { control, getValues, setValue, reset } = form;
  useFilledIn(form, !forOthers);
  // An expired session leads to the login page and back, and viewing another doctor is no reason to type the address
  // again.
  useDraft(draft, () => (booked.current ? undefined : getValues()));
  const date = useWatch({ control, name: 'date' });
  const time = useWatch({ control, name: 'time' });
  const dropTime = useCallback(() => setValue('time', ''), [setValue]);
  const slot = useSlot(doctor, date, time, dropTime);
  // A reload, or a login on the way, opens the address again: a link's time mustn't come back in place of the chosen one.
  const follow = useEffectEvent(() => {
    const link = slotFrom(search);
    if (booked.current || link.date === undefined || (link.date === date && link.time === time)) return;
    const chosen = Object.entries({ date, time }).filter(([, value]) => value !== '');
    setSearch(new URLSearchParams(chosen), { replace: true, preventScrollReset: true });
  });
  useEffect(() => follow(), [date, time]);
  const clear = (): void => {
    booked.current = true;
    reset(emptyBooking);
  };
  return { ...form, ...slot, draft, date, time, clear, rules: bookingRules(slot.today, doctor.bookableUntil) };
}

export type BookingState = ReturnType<typeof useBookingForm>;

/** Shows errors at their fields, and moves to the first. @returns the messages of the others */
function showAtFields(errors: readonly FieldError[], setError: BookingState['setError']): string[] {
  const here = errors.filter(({ field }) => isField(field));
  for (const { field, message } of here)
    setError(field as BookingField, { type: 'server', message }, { shouldFocus: field === here[0]?.field });
  return errors.filter(({ field }) => !isField(field)).map(({ message }) => message);
}

/**
 * Patient and doctor of several appointments, whose dates are chosen next.
 *
 * @param userId - the patient's account, as staff saw it
 */
export function partyOf(fields: BookingFields, doctor: Doctor, userId: string | undefined) {
  const { patientname, patientemail, address, number, age } = fields;
  return {
    patientname,
    patientemail,
    userId,
    address,
    number,
    age: Number(age),
    ...aboutVisit(fields),
    doctoremail: doctor.email,
  };
}

function bodyOf(fields: BookingFields, doctor: Doctor, userId: string | undefined) {
  const { date, time } = fields;
  return { ...partyOf(fields, doctor, userId), date, time, doctorname: doctor.name, status: 'Pending' };
}

/** What follows a booking: the message, an empty form, and the list that has the appointment. */
function useArrival(forOthers: boolean, clear: () => void): (booked: Appointment) => void {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (booked) => {
    notify.success('appoinment created', forOthers ? `For ${booked.patientname}` : undefined);
    clear();
    for (const call of ['listFreeTimes', 'listFreeDays'])
      void client.invalidateQueries({ queryKey: [call], refetchType: 'none' });
    void navigate(forOthers ? startOfBookings() : '/dash/doctorAppoinments', { state: { booked } });
  };
}

/**
 * Sends the form, and shows the service's response in it.
 *
 * @param forOthers - staff go back to where they were, patients to their record
 */
export function useBooking(
  doctor: Doctor,
  forOthers: boolean,
  { getValues, setError, setValue, clear, draft, date, free }: BookingState,
) {
  const client = useQueryClient();
  const arrive = useArrival(forOthers, clear);
  const [failure, setFailure] = useState<string>();
  const [sameTime, setSameTime] = useState<SameTime>();
  const sending = useRef(false);
  const account = useRef<string>(undefined);

  const book = useChange('bookAppointment', {
    invalidates: [...appointmentLists, 'listOpenQuestions'],
    failure: false,
    draft,
    onDone: (appointment) => {
      // A response without an appointment, such as an empty object, is no success.
      if (!appointment?._id) {
        setFailure('We couldn’t confirm your booking. Check your appointments before you try again.');
        return;
      }
      arrive(appointment);
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

  /**
   * @param userId - the patient's account, as staff saw it
   * @param alsoThen - the patient wants this appointment in addition to another one at that time
   */
  function send(fields: BookingFields, userId?: string, alsoThen?: true): void {
    // A second press may come before the button looks busy.
    if (sending.current) return;
    sending.current = true;
    account.current = userId;
    setFailure(undefined);
    const body = { ...bodyOf(fields, doctor, userId), ...(alsoThen && { alsoThen }) };
    book.mutate({ body }, { onSettled: () => void (sending.current = false) });
  }

  function keepBoth(): void {
    setSameTime(undefined);
    send(getValues(), account.current, true);
  }

  function chooseAnother(): void {
    setSameTime(undefined);
    setError('time', { type: 'server', message: 'Choose another time' });
  }

  return { busy: book.isPending, failure, error: book.error, sameTime, send, keepBoth, chooseAnother };
}
