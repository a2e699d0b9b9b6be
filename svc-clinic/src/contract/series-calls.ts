import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, isoDate, timeOfDay } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { appointments, desk, ownDoctor, patientOrDoctor } from './desk.ts';
import { alsoThen, appointment, appointmentStatus, patientChoice, seenSlot, seenVisit } from './appointment-schema.ts';
import { seriesLimits as limits } from './limits.ts';
import { aboutVisit, seenPatient, visitPatient } from './patient.ts';

const slot = z.object({ date: isoDate('Date'), time: timeOfDay });
const whole = (label: string, most: number) =>
  z
    .number({ error: `${label} must be a number` })
    .int(`${label} must be a whole number`)
    .min(1, `${label} must be at least 1`)
    .max(most, `${label} must be at most ${most}`);

/** An appointment whose patient and doctor the series is for; admins may name these instead. */
const forAppointment = id.optional();
const forAnybody = z.object({ doctoremail: email, ...visitPatient, ...seenPatient }).optional();

const oneOfBoth = (body: { readonly from?: unknown; readonly booking?: unknown }): boolean =>
  (body.from === undefined) !== (body.booking === undefined);
const oneOfBothMessage = 'Send either from, an appointment, or booking, the patient and doctor';

/** One date of a planned series. */
export const plannedDate = z.object({
  date: z.string(),
  time: z.string(),
  /** Why it can't be booked; absent if it can. */
  conflict: z.string().optional(),
  /** The nearest free time, only with a conflict; absent if there is none within two weeks. */
  alternative: z.object({ date: z.string(), time: z.string() }).optional(),
});
export type PlannedDate = z.output<typeof plannedDate>;

/** The calls about several appointments that belong together. */
export const seriesCalls = defineCalls('clinic', {
  previewSeries: {
    method: 'POST',
    path: '/appoinments/series/preview',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: 'List the dates of a series with their conflicts and the nearest free times, without booking it',
    body: z
      .object({
        from: forAppointment,
        booking: z.object({ doctoremail: email, patientemail: email }).optional(),
        first: slot,
        /** Distance of two dates; months keep the day of the month where they have it. */
        every: z.object({
          unit: z.enum(['days', 'weeks', 'months'], { error: 'Unit must be days, weeks or months' }),
          count: whole('Every', limits.every),
        }),
        count: whole('Number of appointments', limits.appointments),
      })
      .refine(oneOfBoth, oneOfBothMessage),
    response: z.object({ dates: z.array(plannedDate) }),
    decides: { 'body.from': 'record', 'body.booking': 'database', 'body.first': 'database', 'body.every': 'content' },
    // Where the patient has other appointments.
    shows: { what: 'appointments', whose: 'told', ownWork: true },
  },
  bookSeries: {
    method: 'POST',
    path: '/appoinments/series',
    status: 201,
    errors: ['not_found', 'slot_taken', 'changed_meanwhile', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: 'Book all dates of a series or none; the patient is that of an appointment, or for admins anybody',
    body: z
      .object({
        from: forAppointment,
        /** The doctor of `from` on screen: with another one by now, nothing is booked. */
        seen: asSeen(seenVisit.pick({ doctoremail: true })),
        booking: forAnybody,
        /** What the visits of `from`'s patient are about; a `booking` says it itself. */
        ...aboutVisit,
        dates: z
          .array(slot)
          .min(1, 'Choose at least one date')
          .max(limits.appointments, `A series can have at most ${limits.appointments} appointments`)
          .refine(
            (dates) => new Set(dates.map(({ date, time }) => `${date} ${time}`)).size === dates.length,
            'A date is in the series twice',
          ),
        alsoThen,
      })
      .refine(oneOfBoth, oneOfBothMessage),
    response: z.array(appointment),
    decides: {
      'body.from': 'record',
      'body.seen': 'record',
      'body.booking': 'database',
      'body.dates': 'database',
      'body.alsoThen': 'content',
    },
    shows: appointments,
  },
  previewFollowing: {
    method: 'POST',
    path: '/appoinments/:id/series/preview',
    errors: ['not_found', 'transition_refused'],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'List an appointment of a series and all that follow, with what keeps each from being moved or cancelled',
    params: z.object({ id }),
    body: z.object({
      /** The new date and time of this one, as for `changeSeries`; if omitted, they are to be cancelled. */
      to: slot.optional(),
    }),
    response: z.object({
      /** As they are now; in order of their dates. */
      visits: z.array(
        z.object({
          _id: id,
          date: z.string(),
          time: z.string(),
          to: z.object({ date: z.string(), time: z.string() }).optional(),
          conflict: z.string().optional(),
        }),
      ),
    }),
    decides: { 'params.id': 'record', 'body.to': 'database' },
    // Where the patient has other appointments.
    shows: { what: 'appointments', whose: 'told', ownWork: true },
  },
  changeSeries: {
    method: 'PATCH',
    path: '/appoinments/:id/series',
    errors: [
      'not_found',
      'slot_taken',
      'too_many_appointments',
      'transition_refused',
      'too_late',
      'changed_meanwhile',
      'rate_limited',
      'idempotency_mismatch',
      'in_progress',
    ],
    idempotent: true,
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Move (doctor, admins) or cancel an appointment of a series and all that follow, or none of them',
    params: z.object({ id }),
    body: z.object({
      /** The appointment as it was on screen: if somebody has changed it since, the change is rejected. */
      seen: seenSlot,
      /** All that are changed, as they were on screen: if they are others, or elsewhere, the change is rejected. */
      following: asSeen(z.array(z.object({ id, seen: slot })).max(limits.appointments)),
      change: z.discriminatedUnion(
        'act',
        [
          /** The new date and time of this one; the others move by as many days, to the same time. */
          z.object({ act: z.literal('move'), ...slot.shape, alsoThen }),
          z.object({
            act: z.literal('cancel'),
            patientChoice: patientChoice.optional(),
          }),
        ],
        { error: 'Act must be move or cancel' },
      ),
    }),
    response: z.array(appointment),
    decides: { 'params.id': 'record', 'body.seen': 'record', 'body.following': 'record', 'body.change': 'database' },
    shows: appointments,
  },
  undoMoves: {
    method: 'PATCH',
    path: '/appoinments/undone',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'changed_meanwhile'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: 'Take back moves that the caller has just made, with the promised length and place; all of them or none',
    body: z.object({
      moves: z
        .array(
          z.object({
            id,
            /** The appointment after the move: if somebody has changed it since, it stays. */
            seen: seenVisit,
          }),
        )
        .min(1, 'Name at least one appointment')
        .max(limits.appointments, `At most ${limits.appointments} moves can be undone at once`),
    }),
    response: z.array(appointment),
    decides: { 'body.moves': 'record' },
    shows: appointments,
  },
  undoStatusChanges: {
    method: 'PATCH',
    path: '/appoinments/undone-status',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'changed_meanwhile'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: 'Take back confirmations and cancellations that the caller has just made; all of them or none',
    body: z.object({
      changes: z
        .array(
          z.object({
            id,
            /** The appointment after the change: if somebody has changed it since, it stays. */
            seen: z.object({ ...slot.shape, status: appointmentStatus }),
          }),
        )
        .min(1, 'Name at least one appointment')
        .max(limits.appointments, `At most ${limits.appointments} changes can be undone at once`),
    }),
    response: z.array(appointment),
    decides: { 'body.changes': 'record' },
    shows: appointments,
  },
});
