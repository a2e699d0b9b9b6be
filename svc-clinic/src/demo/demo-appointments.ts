import { addDays, ageOn } from '@clinic/contracts';
import { demoDoctors, demoPatients, type DemoDoctor } from '@clinic/demo-data';
import type { NewAppointment } from '../appointments/appointment-record.ts';
import type { AppointmentStatus } from '../contract/transitions.ts';
import { worksEveryDay } from './demo-hours.ts';

/** An appointment of the demo clinic, before it has an id. */
export type DemoAppointment = Omit<NewAppointment, '_id'>;

type Plan = readonly [doctor: number, patient: number, day: number, status: AppointmentStatus];

/** Index of the demo accounts in the demo data. */
const demoDoctor = 6;
const demoPatient = 0;

// What people trying the demo see first: a doctor's and a patient's diary with every status, around today.
const diaries: readonly Plan[] = [
  [demoDoctor, 1, -14, 'Confirmed'],
  [demoDoctor, 2, -9, 'Cancelled'],
  [demoDoctor, 3, -5, 'Confirmed'],
  [demoDoctor, 4, -2, 'Confirmed'],
  [demoDoctor, 5, 0, 'Confirmed'],
  [demoDoctor, demoPatient, 0, 'Pending'],
  [demoDoctor, 7, 1, 'Pending'],
  [demoDoctor, 8, 1, 'Confirmed'],
  [demoDoctor, 9, 3, 'Pending'],
  [demoDoctor, 10, 6, 'Pending'],
  [0, demoPatient, -18, 'Confirmed'],
  [12, demoPatient, -7, 'Cancelled'],
  [9, demoPatient, -3, 'Confirmed'],
  [8, demoPatient, 0, 'Confirmed'],
  [3, demoPatient, 1, 'Pending'],
  [13, demoPatient, 2, 'Confirmed'],
  [16, demoPatient, 5, 'Cancelled'],
  [10, demoPatient, 12, 'Pending'],
];

const bookable = demoDoctors
  .map((doctor, index) => ({ doctor, index }))
  .filter(({ doctor }) => doctor.isAvailable && worksEveryDay(doctor))
  .map(({ index }) => index);

// The other patients' appointments: past ones mostly confirmed, upcoming ones mostly pending.
const house: readonly Plan[] = Array.from({ length: 22 }, (_, index): Plan => {
  const day = index - 10 + Math.trunc((index - 10) / 3);
  const status: AppointmentStatus =
    index % 6 === 4 ? 'Cancelled' : day < 0 || index % 3 === 0 ? 'Confirmed' : 'Pending';
  return [bookable[(index * 5) % bookable.length] ?? 0, 1 + ((index * 3) % (demoPatients.length - 1)), day, status];
});

const streets = ['Lake Road', 'Orchard Lane', 'Station Street', 'Rose Garden', 'Mill Street', 'River View'];
const timesWithoutList = ['09:15', '11:45', '13:30', '15:15'];

/**
 * The demo's forty appointments, the same for a given day.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone; the appointments lie in the three weeks before and after
 */
export function demoAppointments(today: string): DemoAppointment[] {
  const held = new Set<string>();
  return [...diaries, ...house].flatMap(([doctorIndex, patientIndex, day, status], index) => {
    const doctor = demoDoctors[doctorIndex];
    const patient = demoPatients[patientIndex];
    if (!doctor || !patient) return [];
    const date = addDays(today, day);
    const time = freeTime(doctor, date, index, held);
    if (time === undefined) return [];
    held.add(`${doctor.email} ${date} ${time}`);
    return [
      {
        patientName: `${patient.firstName} ${patient.lastName}`,
        patientEmail: patient.email,
        doctorName: doctor.name,
        doctorEmail: doctor.email,
        age: ageOn(today, patient.dateOfBirth),
        address: `${12 + patientIndex * 7} ${streets[patientIndex % streets.length]}, Dhaka`,
        phone: patient.phone,
        date,
        time,
        status,
        bookedAt: new Date(`${addDays(date < today ? date : today, -1 - (index % 5))}T09:00:00Z`),
      },
    ];
  });
}

function freeTime(doctor: DemoDoctor, date: string, index: number, held: ReadonlySet<string>): string | undefined {
  const times = doctor.availableTimes.length > 0 ? doctor.availableTimes : timesWithoutList;
  const start = (index * 2 + 1) % times.length;
  return [...times.slice(start), ...times.slice(0, start)].find((time) => !held.has(`${doctor.email} ${date} ${time}`));
}
