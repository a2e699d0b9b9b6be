import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import { newId } from '@clinic/service-kit';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { allTimes } from '../schedule/working-times.ts';
import { drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, sharedClinic, storedAppointment } from '../testing/test-clinic.ts';
import { appointmentRecord } from './appointment-record.ts';
import { overlap, promiseOf, timeTaken } from './promise.ts';

const clinic = await sharedClinic({ CLINIC_MAX_CHANGES_PER_DAY: '1000', CLINIC_MAX_OPEN_APPOINTMENTS: '1000' });
const grey = await clinic.addDoctor();
const house = await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
const later = addDays(clinic.soon, 1);

const clients = 50;
const patient = (index: number) => ({ role: 'patient', email: `patient${index}@mail.example` }) as const;

beforeEach(() => clinic.empty('appointments', 'events', 'persons', 'appointmentTallies', 'waitlist', 'waitlistOffers'));

/** What holds a doctor's time, and which two of it overlap. */
async function held(doctorEmail: string) {
  const records = await clinic.appointments.find({ doctorEmail, status: { $ne: 'Cancelled' } }).toArray();
  const times = records.map((record) => timeTaken(record, 'Asia/Dhaka'));
  const overlapping = times.filter((one, index) => times.some((other, at) => at < index && overlap(one, other)));
  return { records, overlapping };
}

test('of 50 bookings of overlapping, touching and nested intervals, written at once, no two overlap, and neighbours fit', async () => {
  // The hours differ between the requests, as if they changed all the time: only the index is left to decide.
  const intervals = Array.from({ length: clients }, (_, index) => ({
    start: 9 * 60 + ((index * 7) % 60),
    minutes: [1, 3, 5, 10, 20, 45][index % 6] ?? 5,
  }));
  const results = await Promise.allSettled(
    intervals.map(async ({ start, minutes }, index) => {
      const time = `${String(Math.floor(start / 60)).padStart(2, '0')}:${String(start % 60).padStart(2, '0')}`;
      const booked = {
        ...storedAppointment({ date: clinic.soon, time }),
        _id: newId(),
        patientEmail: patient(index).email,
      };
      const record = appointmentRecord(booked, promiseOf(booked, { minutes, place: '' }, 'Asia/Dhaka'));
      await clinic.context.inTransaction(async (session) => {
        await clinic.appointments.insertOne(record, { session });
      });
      return record;
    }),
  );
  const { records, overlapping } = await held(grey.email);
  assert.deepEqual(overlapping, []);
  const lost = results.filter(({ status }) => status === 'rejected');
  assert.deepEqual([records.length, lost.length], [clients - lost.length, clients - records.length]);
  // Nobody was turned away without reason: each loser overlaps a winner.
  const taken = records.map((record) => timeTaken(record, 'Asia/Dhaka'));
  for (const [index, { status }] of results.entries()) {
    const { start = 0, minutes = 0 } = intervals[index] ?? {};
    const from = timeTaken({ date: clinic.soon, time: '00:00' }, 'Asia/Dhaka').from + start;
    const collides = taken.some((one) => overlap(one, { from, until: from + minutes }));
    assert.ok(status === 'fulfilled' || collides, `${start} ${minutes}`);
  }
  for (const result of results) if (result.status === 'rejected') assert.match(String(result.reason), /E11000/);
});

test('50 clients book, move, hand over and book series while the hours change, and no doctor’s visits overlap', async () => {
  const times = ['09:00', '09:20', '09:40', '10:00', '10:30', '11:00'];
  const own: Appointment[] = [];
  for (const [index, time] of times.entries()) {
    await clinic.doctors.updateMany({}, { $set: hoursAt([time], 20) });
    const answer = await clinic.requestBooking(patient(index), {
      patientemail: patient(index).email,
      date: later,
      time,
      doctoremail: index % 2 === 0 ? drGrey.email : drHouse.email,
    });
    own.push((await answer.json()) as Appointment);
  }
  const shapes = [
    hoursAt(['09:00', '10:00', '11:00'], 60),
    hoursAt(['09:30', '10:30'], 60),
    hoursAt(['09:10', '09:20', '09:50'], 10),
    hoursAt(['09:00', '09:45', '10:30'], 45),
  ];
  const wanted = shapes.flatMap((shape) => shape.availableTimes);
  const attempt = async (index: number): Promise<Response> => {
    const doctor = index % 2 === 0 ? grey : house;
    const time = wanted[index % wanted.length] ?? '09:00';
    const shape = shapes.find((one) => one.availableTimes.includes(time));
    await clinic.doctors.updateOne({ _id: doctor._id }, { $set: { ...shape } });
    const mine = own[index % own.length];
    if (index % 4 === 1 && mine)
      return clinic.as('admin')(`/appoinments/${mine._id}`, {
        method: 'PATCH',
        json: { date: clinic.soon, time, alsoThen: true },
      });
    if (index % 4 === 2 && mine)
      return clinic.as('admin')(`/appoinments/${mine._id}/doctor`, {
        method: 'PATCH',
        json: { doctoremail: doctor.email, date: clinic.soon, time, patientChoice: 'agreed', alsoThen: true },
      });
    if (index % 4 === 3)
      return clinic.as('admin')('/appoinments/series', {
        method: 'POST',
        json: {
          booking: {
            doctoremail: doctor.email,
            patientname: 'P',
            patientemail: patient(100 + index).email,
            age: 30,
            address: 'x',
            number: '123',
          },
          dates: [clinic.soon, later].map((date) => ({ date, time })),
        },
      });
    return clinic.requestBooking(patient(index), {
      patientemail: patient(index).email,
      doctoremail: doctor.email,
      time,
    });
  };
  const answers = await Promise.all(Array.from({ length: clients }, (_, index) => untilServed(() => attempt(index))));
  for (const answer of answers) assert.ok([200, 201, 400, 403, 409].includes(answer.status), String(answer.status));
  for (const { email } of [grey, house]) {
    const { records, overlapping } = await held(email);
    assert.deepEqual(overlapping, []);
    for (const { date, time, duration, cells } of records)
      assert.equal(cells?.[0], timeTaken({ date, time, ...(duration && { duration }) }, 'Asia/Dhaka').from);
  }
  const series = await clinic.appointments.find({ series: { $exists: true } }).toArray();
  const sizes = Map.groupBy(series, (one) => one.series?.id.toHexString());
  for (const [, both] of sizes) assert.equal(both.length, 2);
});

test('a time held for somebody on the waitlist keeps everything that overlaps it away', async () => {
  const period = {
    slotMinutes: 30,
    bufferMinutes: 0,
    hours: weekdays.map((day) => ({ day, from: '09:00', until: '10:00', place: '' })),
  };
  const listedTimes = allTimes({ periods: [period], exceptions: [] });
  const hours = { availableTimes: listedTimes, hours: { periods: [period], exceptions: [], listedTimes } };
  await clinic.doctors.updateOne({ _id: grey._id }, { $set: { ...hours, isAvailable: false } });
  const joined = await clinic.as(patient(0))('/waitlist', {
    method: 'POST',
    json: {
      patientemail: patient(0).email,
      doctoremail: grey.email,
      from: clinic.soon,
      until: clinic.soon,
      parts: ['morning'],
      patientname: 'P',
      age: 30,
      address: 'x',
      number: '123',
    },
  });
  assert.equal(joined.status, 201);
  const available = { method: 'PATCH', json: { isAvailable: true } } as const;
  assert.equal((await clinic.as('admin')(`/doctors/${grey._id.toHexString()}`, available)).status, 200);
  await waitUntil(async () => assert.ok(await clinic.db.collection('appointments').findOne({ status: 'Held' })));
  await clinic.doctors.updateOne({ _id: grey._id }, { $set: hoursAt(['09:10'], 10) });
  const answers = await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      clinic.requestBooking(patient(1 + index), { patientemail: patient(1 + index).email, time: '09:10' }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([409]));
  assert.deepEqual((await held(grey.email)).overlapping, []);
});
