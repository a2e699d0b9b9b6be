// `npm run bench:free-times -w @clinic/svc-clinic`: measures free times, for eighteen doctors with 2,000 appointments:
// processor time of the service and the database together.
import { addDays } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import { startTestDatabase } from '@clinic/service-kit/testing';
import { MongoClient } from 'mongodb';
import { freeTimesOfDay } from '../src/appointments/free-times.ts';
import { takenTimes } from '../src/appointments/taken-times.ts';
import { clinicClock } from '../src/clinic-clock.ts';
import { collectionsOf } from '../src/collections.ts';
import { nextFreeDays } from '../src/doctors/next-free.ts';
import { indexes } from '../src/indexes.ts';
import { withHolidays } from '../src/schedule/holidays.ts';
import { allTimes } from '../src/schedule/working-times.ts';
import { storedAppointment } from '../src/testing/test-clinic.ts';

const times = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '14:00', '14:30', '15:00', '15:30', '16:00'];
const periods = [
  {
    slotMinutes: 30,
    bufferMinutes: 0,
    hours: weekdays.flatMap((day) => [
      { day, from: '09:00', until: '12:00', place: '' },
      { day, from: '14:00', until: '16:30', place: '' },
    ]),
  },
];
const listedTimes = allTimes({ periods, exceptions: [] });
const doctors = Array.from({ length: 18 }, (_, index) => ({
  email: `doctor${index}@clinic.example`,
  isAvailable: true,
  availableTimes: listedTimes,
}));
const scheduled = doctors.map((doctor) => ({ ...doctor, hours: { periods, exceptions: [], listedTimes } }));
const [tries, warmUp] = [300, 100];
const monthDays = 30;

const server = await startTestDatabase();
const client = await MongoClient.connect(server.uri);
try {
  const collections = collectionsOf(client.db('bench'));
  const { appointments } = collections;
  await appointments.createIndexes(indexes.appointments.map((index) => ({ ...index })));
  const clock = clinicClock({ CLINIC_TZ: 'Asia/Dhaka', CLINIC_BOOKING_HORIZON_DAYS: 90 });
  await appointments.insertMany(
    Array.from({ length: 2_000 }, (_, index) => {
      const doctor = index % doctors.length;
      const slot = Math.floor(index / doctors.length);
      return storedAppointment({
        patientEmail: `patient${index}@mail.example`,
        doctorEmail: `doctor${doctor}@clinic.example`,
        date: addDays(clock.today, slot % 28),
        time: times[Math.floor(slot / 28)] ?? '09:00',
      });
    }),
  );

  /** Free times of every doctor and day, as a calendar of the whole clinic needs them. */
  async function freeMonth(of: typeof doctors): Promise<number> {
    const now = await withHolidays(clock, collections);
    const until = addDays(clock.today, monthDays);
    const taken = await takenTimes(
      appointments,
      of.map(({ email }) => email),
      { from: clock.today, until },
      clock.timeZone,
    );
    let free = 0;
    for (let date = clock.today; date <= until; date = addDays(date, 1))
      for (const doctor of of) free += freeTimesOfDay(doctor, date, taken(doctor.email), now).length;
    return free;
  }
  /** As the directory does: the earliest free day of every doctor. */
  const nextFree = async (of: typeof doctors): Promise<number> =>
    (await nextFreeDays(appointments, of, await withHolidays(clock, collections))).size;
  // Every request reads the records afresh.
  const fresh = <Doctor>(of: readonly Doctor[]): Doctor[] => structuredClone([...of]);

  const works = [
    ['next free, plain times', () => nextFree(fresh(doctors))],
    ['next free, weekly hours', () => nextFree(fresh(scheduled))],
    ['a month, plain times', () => freeMonth(fresh(doctors))],
    ['a month, weekly hours', () => freeMonth(fresh(scheduled))],
  ] as const;
  // Interleaved, so that other load on the machine affects all of them alike.
  const taken = works.map((): number[] => []);
  for (let turn = 0; turn < tries + warmUp; turn += 1) {
    for (const [at, [, work]] of works.entries()) {
      const begun = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(begun);
      if (turn >= warmUp) taken[at]?.push((user + system) / 1_000);
    }
  }
  const medians = taken.map((times) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0);
  for (const [at, [what]] of works.entries()) {
    const [median = 0, first = 0] = [medians[at], medians[0]];
    console.log(`${what}: ${median.toFixed(2)} ms (median of ${tries}), ${(median / first).toFixed(2)} of the first`);
  }
} finally {
  await client.close();
  await server.close();
}
