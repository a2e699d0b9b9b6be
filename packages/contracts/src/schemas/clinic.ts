import { z } from 'zod';
import { appointmentStatuses } from '../transitions.ts';
import { email, id, isoDate, maxText, paging, phone, text, timeOfDay } from './fields.ts';
import { historyEntry } from './history.ts';

/** A doctor as the directory and the dashboards show them (specification section 3). */
export const doctor = z.object({
  _id: id,
  id: z.string(),
  name: z.string(),
  email: z.string(),
  qualification: z.string(),
  education: z.string(),
  specialization: z.string(),
  /** The same as `specialization`: the directory reads this name, the dashboards the other. */
  specialty: z.string(),
  /** Years. */
  experience: z.number(),
  location: z.string(),
  /** Address of a picture; empty: show a placeholder. */
  image: z.string(),
  isAvailable: z.boolean(),
  /** 'HH:mm' in the clinic's time zone. */
  availableTimes: z.array(z.string()),
  rating: z.number(),
  /**
   * The earliest free slot in the clinic's time zone. `null`: nothing within the next weeks, the doctor takes no
   * appointments, or lists no times (then any time of day can be asked for).
   */
  nextFree: z.object({ date: z.string(), time: z.string() }).nullable(),
});
export type Doctor = z.output<typeof doctor>;

export const pharmacist = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  experienceYears: z.number(),
  status: z.string(),
  qualification: z.string(),
  specialization: z.string(),
  experience: z.number(),
});
export type Pharmacist = z.output<typeof pharmacist>;

export const appointmentStatus = z.enum(appointmentStatuses, { error: `Status is one of ${appointmentStatuses.join(', ')}` });

export const appointment = z.object({
  _id: id,
  patientname: z.string(),
  patientemail: z.string(),
  doctorname: z.string(),
  doctoremail: z.string(),
  age: z.number(),
  address: z.string(),
  /** Phone number. */
  number: z.string(),
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  date: z.string(),
  /** 'HH:mm' in the clinic's time zone. */
  time: z.string(),
  status: appointmentStatus,
});
export type Appointment = z.output<typeof appointment>;

/** What a doctor's day still offers. */
export const freeTimes = z.object({
  date: z.string(),
  /** Free times, 'HH:mm', ascending; empty with `anyTime` false: the day is full or past. */
  times: z.array(z.string()),
  /** The doctor lists no times: any time of day that is not taken can be asked for. */
  anyTime: z.boolean(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
});
export type FreeTimes = z.output<typeof freeTimes>;

const age = z
  .number({ error: (issue) => (issue.input === undefined || issue.input === null ? 'Age is required' : 'Age is a number') })
  .int('Age is a whole number of years')
  .min(1, 'Age must be positive')
  .max(150, 'Age is at most 150');

const appointmentList = { ...paging, status: appointmentStatus.optional() };

export const clinicSchemas = {
  listDoctors: {
    query: z.object({ ...paging, _id: id.optional(), specialty: z.string().max(maxText).optional() }),
    response: z.union([z.array(doctor), doctor]),
  },
  listFreeTimes: { params: z.object({ id }), query: z.object({ date: isoDate('Date') }), response: freeTimes },
  listPharmacists: { query: z.object(paging), response: z.array(pharmacist) },
  createProfile: {
    body: z.object({
      name: text('Name'),
      email,
      qualification: text('Qualification'),
      specialization: text('Specialization'),
      experience: z.number({ error: 'Experience is a number of years' }).min(0, 'Experience is at least 0').max(80, 'Experience is at most 80 years'),
      role: z.enum(['doctor', 'pharmacist'], { error: 'Role is doctor or pharmacist' }),
    }),
    response: z.union([doctor, pharmacist]),
  },
  getProfiles: { params: z.object({ email }), response: z.array(doctor) },
  listAppointments: { query: z.object({ ...appointmentList, email: email.optional() }), response: z.array(appointment) },
  listUnconfirmedAppointments: { query: z.object({ ...appointmentList, email }), response: z.array(appointment) },
  bookAppointment: {
    // `status` is accepted, as specified, and ignored: a booking always starts Pending.
    body: z.object({
      patientname: text('Patient name'),
      patientemail: email,
      age,
      address: text('Address'),
      number: phone,
      date: isoDate('Date'),
      time: timeOfDay,
      doctorname: z.string().max(maxText).optional(),
      doctoremail: email,
      status: z.string().optional(),
    }),
    response: appointment,
  },
  changeAppointmentStatus: { params: z.object({ id }), body: z.object({ newStatus: appointmentStatus }), response: appointment },
  getAppointmentHistory: { params: z.object({ id }), response: z.array(historyEntry) },
} as const;
