import { z } from 'zod';
import { daysBetween } from '@clinic/contracts/clinic-time';
import { partsOfDay, patientChoices, pharmacistStatuses } from '@clinic/contracts/limits';
import {
  email,
  id,
  isoDate,
  maxText,
  optionalPhone,
  optionalText,
  paging,
  timeOfDay,
} from '@clinic/contracts/schemas/fields';
import { changedLists, eventList, historyEntry } from '@clinic/contracts/schemas/history';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { listedTimes as availableTimes, professionalDetails, workplace } from '@clinic/contracts/schemas/person';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { appointment, appointmentStatus } from './appointment-schema.ts';
import { calendarSchemas } from './calendar-schemas.ts';
import { doctor, pharmacist } from './profile-schemas.ts';
import { appointmentReport } from './reports.ts';
import { calendarFeedSchemas } from './calendar-feed-schemas.ts';
import { schedulingLinkSchemas } from './scheduling-link-schemas.ts';
import { outsideAppointment, scheduleSchemas } from './schedule-schemas.ts';
import { waitlistSchemas } from './waitlist-schemas.ts';
import { seriesSchemas } from './series-schemas.ts';
import { bookedPatient, patientDetails } from './patient.ts';

export { doctor, pharmacist, type Doctor, type Pharmacist } from './profile-schemas.ts';
export { appointment, appointmentStatus, type Appointment } from './appointment-schema.ts';

/** A doctor's free times on one day. */
export const freeTimes = z.object({
  date: z.string(),
  /** Free times, 'HH:mm', ascending; empty with `anyTime` false if the day is full or past. */
  times: z.array(z.string()),
  /** Always false. In earlier releases doctors without hours could be booked at any time of day. */
  anyTime: z.boolean(),
  /** Where the doctor sees patients at these times, if not at the usual location; absent if all times are there. */
  places: z.array(z.object({ time: z.string(), place: z.string() })).optional(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
});
export type FreeTimes = z.output<typeof freeTimes>;

/** Which days of a period still have free times. */
export const freeDays = z.object({
  days: z.array(
    z.object({
      date: z.string(),
      /** Number of free times. */
      free: z.number(),
    }),
  ),
  /** Always false, as that of free times. */
  anyTime: z.boolean(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
});
export type FreeDays = z.output<typeof freeDays>;

const daysOff = z.array(isoDate('Day off')).max(366, 'You can list at most 366 days off');

/** Fields shared by doctors' and pharmacists' profiles; omitted ones stay unchanged. */
const profileChange = z.object(professionalDetails).partial().shape;
const saysSomething = (body: object): boolean => Object.values(body).some((value) => value !== undefined);

/** Longest period of days off in one request. */
const mostDays = 62;

/**
 * Confirms that the patient wants this appointment although they have another one at the same time. Without it, the
 * service rejects the booking and names the other appointment.
 */
const alsoThen = z.boolean({ error: 'alsoThen must be true or false' }).optional();

const appointmentList = {
  ...paging,
  status: appointmentStatus.optional(),
  /** Only appointments that hold their slot: pending and confirmed ones. */
  open: z.literal('true', { error: 'Open must be true or left out' }).optional(),
  /** Only upcoming or only past ones, by the clinic's clock. */
  when: z.enum(['coming', 'past'], { error: 'When must be coming or past' }).optional(),
  /** First and last day, inclusive. */
  from: isoDate('From').optional(),
  until: isoDate('Until').optional(),
};

/** The patient's response to a change by the clinic, as noted by whoever makes it; kept in the history. */
const patientChoice = z.enum(patientChoices, {
  error: `Patient's choice must be one of: ${patientChoices.join(', ')}`,
});

export const clinicSchemas = {
  listDoctors: {
    query: z.object({
      ...paging,
      _id: id.optional(),
      email: email.optional(),
      specialty: z.string().max(maxText).optional(),
      /** Only doctors with a free time in this period: first and last day, inclusive, and part of the day. */
      from: isoDate('From').optional(),
      until: isoDate('Until').optional(),
      part: z.enum(partsOfDay, { error: `Part must be one of ${partsOfDay.join(', ')}` }).optional(),
    }),
    response: z.union([z.array(doctor), doctor]),
  },
  listFreeTimes: { params: z.object({ id }), query: z.object({ date: isoDate('Date') }), response: freeTimes },
  listFreeDays: {
    params: z.object({ id }),
    query: z
      .object({ from: isoDate('From'), until: isoDate('Until') })
      .refine(({ from, until }) => from <= until && daysBetween(from, until) < mostDays, {
        path: ['until'],
        message: `Until can’t be before From, and the period can be at most ${mostDays} days`,
      }),
    response: freeDays,
  },
  ...scheduleSchemas,
  ...waitlistSchemas,
  ...calendarSchemas,
  ...seriesSchemas,
  listAppointmentsOutsideTimes: {
    params: z.object({ id }),
    // What no longer fits; services of earlier releases omit it.
    response: z.array(appointment.extend({ why: outsideAppointment.shape.why, now: outsideAppointment.shape.now })),
  },
  changeAvailability: {
    params: z.object({ id }),
    // Omitted fields stay unchanged.
    body: z
      .object({
        availableTimes: availableTimes.optional(),
        daysOff: daysOff.optional(),
        isAvailable: z.boolean({ error: 'isAvailable must be true or false' }).optional(),
        /**
         * The times and days off that the editor started from. With it, only what the editor added and removed changes,
         * and what others saved in the meantime stays. Without it, the lists replace the stored ones.
         */
        seen: z.object({ availableTimes, daysOff }).optional(),
      })
      .refine(
        ({ seen: _seen, ...changes }) => saysSomething(changes),
        'Include at least one field to change: availableTimes, daysOff or isAvailable',
      ),
    response: doctor,
  },
  listPharmacists: { query: z.object(paging), response: z.array(pharmacist) },
  createProfile: {
    body: z.object({
      ...professionalDetails,
      email,
      role: z.enum(['doctor', 'pharmacist'], { error: 'Role must be doctor or pharmacist' }),
    }),
    response: z.union([doctor, pharmacist]),
  },
  changeDoctor: {
    params: z.object({ id }),
    body: z
      .object({
        ...profileChange,
        education: optionalText('Education').optional(),
        location: workplace,
      })
      .refine(
        saysSomething,
        'Include at least one field to change: name, qualification, specialization, experience, education or location',
      ),
    response: doctor,
  },
  changePharmacist: {
    params: z.object({ id }),
    body: z
      .object({
        ...profileChange,
        phone: optionalPhone.optional(),
        status: z
          .enum(pharmacistStatuses, { error: `Status must be one of ${pharmacistStatuses.join(', ')}` })
          .optional(),
      })
      .refine(
        saysSomething,
        'Include at least one field to change: name, phone, status, qualification, specialization or experience',
      ),
    response: pharmacist,
  },
  getProfiles: { params: z.object({ email }), response: z.array(doctor) },
  listAppointments: {
    query: z.object({ ...appointmentList, email: email.optional() }),
    response: z.array(appointment),
  },
  listUnconfirmedAppointments: { query: z.object({ ...appointmentList, email }), response: z.array(appointment) },
  bookAppointment: {
    // `status` is accepted because front-ends send it, and ignored: a booking always starts Pending.
    body: z.object({
      ...bookedPatient,
      date: isoDate('Date'),
      time: timeOfDay,
      doctorname: z.string().max(maxText).optional(),
      doctoremail: email,
      status: z.string().optional(),
      alsoThen,
    }),
    response: appointment,
  },
  changeAppointmentStatus: {
    params: z.object({ id }),
    body: z.object({
      newStatus: appointmentStatus,
      patientChoice: patientChoice.optional(),
      /** The appointment as it was on screen: if it has moved or changed since, the change is rejected. */
      seen: z.object({ date: isoDate('Date'), time: timeOfDay, status: appointmentStatus }).optional(),
    }),
    response: appointment,
  },
  rescheduleAppointment: {
    params: z.object({ id }),
    body: z.object({ date: isoDate('Date'), time: timeOfDay, alsoThen }),
    response: appointment,
  },
  moveToColleague: {
    params: z.object({ id }),
    body: z.object({
      doctoremail: email,
      date: isoDate('Date'),
      time: timeOfDay,
      patientChoice,
      alsoThen,
    }),
    response: appointment,
  },
  correctAppointment: {
    params: z.object({ id }),
    body: z
      .object(patientDetails)
      .partial()
      .refine(saysSomething, { error: 'Send at least one of patientname, age, address or number' }),
    response: appointment,
  },
  getAppointmentCalendar: { params: z.object({ id }), response: z.string() },
  ...calendarFeedSchemas,
  ...schedulingLinkSchemas,
  exportClinicData: exportOfPerson,
  eraseClinicData: erasure,
  listClinicLooks: looksAt,
  watchAppointments: { response: changedLists },
  getAppointmentHistory: { params: z.object({ id }), response: z.array(historyEntry) },
  listClinicEvents: eventList,
  reportAppointments: { query: reportPeriod, response: appointmentReport },
} as const;
