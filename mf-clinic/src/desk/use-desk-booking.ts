import type { ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { isUnknown } from '@clinic/contracts/outcome';
import type { AboutVisit } from '@clinic/svc-clinic/contract/patient';
import type { SameTime } from '@clinic/svc-clinic/contract/problems';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { useRef, useState } from 'react';
import { useDesk } from './use-desk.ts';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { reasonsOf } from '../rejection.tsx';
import type { DeskPatient } from './desk-patient.ts';
import '../series/calls.ts';

/** A doctor's free time. */
export interface DeskSlot {
  readonly doctor: { readonly _id: string; readonly name: string; readonly email: string };
  readonly date: string;
  readonly time: string;
  /** For somebody who stands at the desk. */
  readonly walkIn?: true;
}

export interface DeskBooking {
  readonly patient: DeskPatient;
  readonly slot: DeskSlot;
  readonly about: AboutVisit;
}

const options = { invalidates: [...touchedByAppointments, 'listDoctors'], failure: false } as const;

const forAnybody = (booking: DeskBooking) => {
  const { patient, slot } = booking;
  return {
    patientname: patient.name,
    patientemail: patient.email,
    userId: patient.userId,
    number: patient.number || null,
    age: patient.age,
    address: patient.address || null,
    ...booking.about,
    doctoremail: slot.doctor.email,
    date: slot.date,
    time: slot.time,
    ...(slot.walkIn && { walkIn: true }),
  };
};

const forKnown = (booking: DeskBooking) => ({
  from: booking.patient.visit?.appointment,
  seen: { doctoremail: booking.slot.doctor.email },
  dates: [{ date: booking.slot.date, time: booking.slot.time }],
  ...booking.about,
});

/**
 * Books for a patient: the desk for anybody, doctors for whoever has been with them.
 *
 * @param onLost - called if nobody knows whether it is booked: only the same can be sent again without booking twice
 */
export function useDeskBooking(onBooked: (appointment: Appointment) => void, onLost?: (slot: DeskSlot) => void) {
  const desk = useDesk();
  const [failure, setFailure] = useState<string>();
  const [sameTime, setSameTime] = useState<SameTime>();
  const last = useRef<DeskBooking>(undefined);
  const sending = useRef(false);

  function onDone(appointment: Appointment | undefined): void {
    // A response without an appointment, such as an empty object, is no success.
    if (appointment?._id) onBooked(appointment);
    else setFailure('We couldn’t confirm the booking. Check the calendar before you try again.');
  }
  function onError(problem: ApiProblem): void {
    if (isUnknown(problem) && last.current) onLost?.(last.current.slot);
    if (problem.problem.sameTime?.canConfirm) setSameTime(problem.problem.sameTime);
    else
      setFailure(
        problem.code === 'slot_taken'
          ? 'Somebody else has just booked this time. Close this, and choose another time in the calendar.'
          : reasonsOf(problem),
      );
  }
  const anybody = useChange('bookAppointment', { ...options, onDone, onError });
  const known = useChange('bookSeries', { ...options, onDone: (booked) => onDone(booked[0]), onError });

  function send(booking: DeskBooking, alsoThen?: true): void {
    // A second press may come before the button looks busy.
    if (sending.current) return;
    sending.current = true;
    last.current = booking;
    setFailure(undefined);
    const settled = { onSettled: () => void (sending.current = false) };
    if (desk) anybody.mutate({ body: { ...forAnybody(booking), ...(alsoThen && { alsoThen }) } }, settled);
    else known.mutate({ body: { ...forKnown(booking), ...(alsoThen && { alsoThen }) } }, settled);
  }

  return {
    send,
    busy: anybody.isPending || known.isPending,
    failure,
    sameTime,
    keepBoth: (): void => {
      setSameTime(undefined);
      if (last.current) send(last.current, true);
    },
    giveUp: () => setSameTime(undefined),
  };
}
