import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, isoDate, timeOfDay } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { appointments, desk, patientOrDoctor } from './desk.ts';
import { alsoThen, appointment, patientChoice, seenVisit } from './appointment-schema.ts';

/** The calls that move an appointment: with its doctor, or to a colleague. */
export const moveCalls = defineCalls('clinic', {
  rescheduleAppointment: {
    method: 'PATCH',
    path: '/appoinments/:id',
    errors: [
      'not_found',
      'slot_taken',
      'too_many_appointments',
      'transition_refused',
      'too_late',
      'rate_limited',
      'changed_meanwhile',
    ],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Move an appointment to another free slot of its doctor; if its patient moves it, it is Pending again',
    params: z.object({ id }),
    body: z.object({ date: isoDate('Date'), time: timeOfDay, alsoThen, seen: asSeen(seenVisit) }),
    response: appointment,
    decides: {
      'params.id': 'record',
      'body.date': 'database',
      'body.time': 'database',
      'body.alsoThen': 'content',
      'body.seen': 'record',
    },
    shows: appointments,
  },
  moveToColleague: {
    method: 'PATCH',
    path: '/appoinments/:id/doctor',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'changed_meanwhile'],
    access: { kind: 'restricted', ...desk },
    summary: 'Move an appointment to a free slot of another doctor, and record what its patient said',
    params: z.object({ id }),
    body: z.object({
      doctoremail: email,
      date: isoDate('Date'),
      time: timeOfDay,
      patientChoice,
      alsoThen,
      seen: asSeen(seenVisit),
    }),
    response: appointment,
    decides: {
      'params.id': 'record',
      'body.doctoremail': 'database',
      'body.date': 'database',
      'body.time': 'database',
      'body.patientChoice': 'content',
      'body.alsoThen': 'content',
      'body.seen': 'record',
    },
    shows: appointments,
  },
});
