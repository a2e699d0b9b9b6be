import { z } from 'zod';
import { asSeen, email, id, isoDate, timeOfDay } from '@clinic/contracts/schemas/fields';
import { attendance } from './attendance-schema.ts';
import { patientChoices } from './limits.ts';
import { shownPatient } from './patient.ts';
import { appointmentStatuses } from './transitions.ts';

/** An appointment's place in its series. */
const seriesOfAppointment = z.object({
  id,
  /** From 1. */
  number: z.number(),
  /** Length of the series when it was booked. */
  of: z.number(),
});

export const appointmentStatus = z.enum(appointmentStatuses, {
  error: `Status must be one of ${appointmentStatuses.join(', ')}`,
});

export const appointment = z.object({
  _id: id,
  ...shownPatient,
  doctorname: z.string(),
  doctoremail: z.string(),
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  date: z.string(),
  /** 'HH:mm' in the clinic's time zone. */
  time: z.string(),
  /**
   * What the patient was promised: ISO instants, the minutes between them, and the place, empty if the doctor's profile
   * names none. They change only when the appointment is moved. Services of earlier releases omit them.
   */
  start: z.string().optional(),
  end: z.string().optional(),
  minutes: z.number().optional(),
  place: z.string().optional(),
  status: appointmentStatus,
  /** ISO instant until which its patient may cancel or move it. The doctor and admins may until its end. */
  changeUntil: z.string(),
  /** The slot its patient moved it from, until the doctor or an admin confirms or moves it; absent otherwise. */
  movedFrom: z.object({ date: z.string(), time: z.string() }).optional(),
  /** How far it has got on its day; absent if nothing is noted, and in services of earlier releases. */
  attendance: attendance.optional(),
  /** ISO instant at which its patient answered the questions before it; absent if they haven't. */
  answeredAt: z.string().optional(),
  /** Booked at the desk for somebody who came without an appointment. Services of earlier releases omit it. */
  walkIn: z.boolean().optional(),
  /** Its place in a series; absent if it was booked alone, and in services of earlier releases. */
  series: seriesOfAppointment.optional(),
  /**
   * The caller's relation to this appointment. It can't be derived from their email address, which may have changed
   * since. Services of earlier releases omit it.
   */
  you: z.array(z.enum(['patient', 'doctor'])).optional(),
});
export type Appointment = z.output<typeof appointment>;

/** What tells people which visit an answer is about. */
export const shownVisit = appointment.pick({ patientname: true, doctorname: true, date: true, time: true });

/**
 * Confirms that the patient wants this appointment although they have another one at the same time. Without it, the
 * service rejects the booking and names the other appointment.
 */
export const alsoThen = z.boolean({ error: 'alsoThen must be true or false' }).optional();

/** An appointment as it was on screen: if somebody has moved it since, a change is rejected. */
export const seenVisit = z.object({ doctoremail: email, date: isoDate('Date'), time: timeOfDay });

/** {@link seenVisit} where front-ends of earlier releases don't name the doctor. */
export const seenSlot = seenVisit.extend({ doctoremail: asSeen(email) });

/** The patient's response to a change by the clinic, as noted by whoever makes it; kept in the history. */
export const patientChoice = z.enum(patientChoices, {
  error: `Patient's choice must be one of: ${patientChoices.join(', ')}`,
});
