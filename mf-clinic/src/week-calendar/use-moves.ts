import { formatDate, formatTime, notify, useQueryClient, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { ClinicMoment } from '@clinic/contracts';
import { isUnknown } from '@clinic/contracts/outcome';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import type { SameTime } from '@clinic/svc-clinic/contract/problems';
import { useRef, useState } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { moveBack, seenOf } from '../reschedule/move-back.ts';
import { reasonsOf } from '../rejection.tsx';
import type { OpenSlot } from './grid-layout.ts';

/** Where an appointment is put. */
export interface Place extends OpenSlot {
  readonly date: string;
}

/** A move that must be confirmed, because the patient has another appointment at that time. */
interface Question {
  readonly appointment: CalendarAppointment;
  readonly place: Place;
  readonly sameTime: SameTime;
}

export interface Moves {
  /** The appointments as they will be once the moves in flight are done. */
  readonly withMoves: (appointments: readonly CalendarAppointment[]) => CalendarAppointment[];
  readonly move: (appointment: CalendarAppointment, place: Place) => void;
  readonly question: Question | undefined;
  readonly keepBoth: () => void;
  readonly giveUp: () => void;
}

const written = ({ date, time }: ClinicMoment): string => `${formatDate(date)} at ${formatTime(time)}`;

/** Shows why a move failed. @returns where the appointment is, for screen readers */
function tellOfFailure(error: ApiProblem, { patientname, ...before }: CalendarAppointment, place: Place): string {
  if (isUnknown(error)) {
    const lost = `We couldn’t confirm the move of ${patientname} to ${written(place)}`;
    notify.error(lost, reasonsOf(error));
    return `${lost}.`;
  }
  notify.error(`${patientname} wasn’t moved to ${written(place)}`, `${error.problem.title}. ${reasonsOf(error)}`);
  return `${patientname} is back on ${written(before)}.`;
}

/**
 * Moves appointments: they are shown in the new place at once, and put back with a message if the service rejects it.
 *
 * @param announce - reads a text out in screen readers
 */
export function useMoves(announce: (text: string) => void): Moves {
  const client = useQueryClient();
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(new Map());
  const [question, setQuestion] = useState<Question>();
  /** Where appointments were before their last move. */
  const origins = useRef(new Map<string, CalendarAppointment>());
  const change = useChange('rescheduleAppointment', {
    failure: false,
    invalidates: touchedByAppointments,
    success: ({ patientname, date, time }) => `${patientname} moved to ${formatDate(date)} at ${formatTime(time)}`,
    undo: (moved) => {
      const before = origins.current.get(moved._id);
      return before && moveBack(moved, before, false);
    },
  });

  const forget = (id: string): void => setPlaces((before) => new Map([...before].filter(([other]) => other !== id)));

  async function send(appointment: CalendarAppointment, place: Place, alsoThen: boolean): Promise<void> {
    const { _id: id } = appointment;
    const { date, time } = place;
    setPlaces((before) => new Map(before).set(id, place));
    origins.current.set(id, appointment);
    try {
      const body = { date, time, seen: seenOf(appointment), ...(alsoThen && { alsoThen }) };
      // Not by the call's `onError`, which only the latest of several moves in flight would get.
      await change.mutateAsync({ params: { id }, body });
    } catch (error) {
      const problem = error as ApiProblem;
      const { sameTime } = problem.problem;
      if (sameTime?.canConfirm) setQuestion({ appointment, place, sameTime });
      else announce(tellOfFailure(problem, appointment, place));
    }
    // Until the lists are loaded again the old ones have the appointment in its old place.
    await Promise.all(touchedByAppointments.map((list) => client.invalidateQueries({ queryKey: [list] })));
    forget(id);
  }

  return {
    withMoves: (appointments) =>
      appointments.map((one) => {
        const place = places.get(one._id);
        return place ? { ...one, date: place.date, time: place.time, ends: place.until, outside: false } : one;
      }),
    move: (appointment, place) => void send(appointment, place, false),
    question,
    keepBoth: () => {
      if (question) void send(question.appointment, question.place, true);
      setQuestion(undefined);
    },
    giveUp: () => setQuestion(undefined),
  };
}
