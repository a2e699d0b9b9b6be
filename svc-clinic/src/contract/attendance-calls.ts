import { defineCalls } from '@clinic/contracts/define-calls';
import { email, id, isoDate } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { appointments, desk, patientOrDoctor } from './desk.ts';
import { appointment } from './appointment-schema.ts';
import { attendanceState } from './attendance-schema.ts';

/** A visit of a day, as the desk sees it. */
export const visitOfDay = appointment.extend({
  /** How many visits this patient has missed. */
  missedBefore: z.number(),
  /** Only if the patient was asked, having missed several: whether they have said that they will come. */
  willCome: z.boolean().optional(),
});
export type VisitOfDay = z.output<typeof visitOfDay>;

/** The calls about the day of a visit: who is expected, who waits, who is with the doctor. */
export const attendanceCalls = defineCalls('clinic', {
  getDay: {
    method: 'GET',
    path: '/appoinments/day',
    access: { kind: 'restricted', ...desk, self: { in: 'query', field: 'email', role: 'doctor' } },
    summary: "Get all visits of a day with who has arrived, or with email this doctor's",
    query: z.object({ date: isoDate('Date'), email: email.optional() }),
    response: z.object({
      /** Pending and confirmed ones, by time. */
      visits: z.array(visitOfDay),
      /** False if there are more than one response holds. */
      complete: z.boolean(),
    }),
    decides: { 'query.email': 'session', 'query.date': 'filter' },
    shows: { what: 'appointments', whose: 'visits.patientemail', ownWork: true },
  },
  changeAttendance: {
    method: 'PATCH',
    path: '/appoinments/:id/attendance',
    errors: ['not_found', 'transition_refused', 'rate_limited'],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Note on its day that a patient has arrived, is called, is with the doctor, has left or didn’t come',
    params: z.object({ id }),
    /** The state on screen, and the next one; or the one before, to take it back. */
    body: z.object({ from: attendanceState, to: attendanceState }),
    response: appointment,
    decides: { 'params.id': 'record', 'body.from': 'record', 'body.to': 'record' },
    shows: appointments,
  },
  arriveByCode: {
    method: 'POST',
    path: '/appoinments/arrivals',
    errors: ['not_found', 'transition_refused', 'rate_limited'],
    access: { kind: 'restricted', ...desk },
    summary: 'Note that the patient has arrived whose visit of today has this code',
    body: z.object({ code: z.string({ error: 'Code is required' }).trim().min(1, 'Code is required').max(20) }),
    response: appointment,
    decides: { 'body.code': 'proof' },
    shows: appointments,
  },
  getPlaceInQueue: {
    method: 'GET',
    path: '/appoinments/:id/queue',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Get how many wait for the same doctor before a patient who has arrived',
    params: z.object({ id }),
    response: z.object({
      state: attendanceState,
      /** The patient's number in the waiting room, once they have arrived. */
      number: z.number().optional(),
      /** How many came before and aren't with the doctor yet. */
      ahead: z.number(),
      /** What the patient says at the desk, only today and while they are expected; services of earlier releases omit it. */
      code: z.string().optional(),
    }),
    decides: { 'params.id': 'record' },
  },
});
