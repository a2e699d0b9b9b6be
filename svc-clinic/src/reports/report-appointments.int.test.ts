import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personWith } from '@clinic/service-kit/testing';
import { addDays, maxReportDays } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import { clinicCalls } from '../contract/calls.ts';
import fc from 'fast-check';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { collectionsOf } from '../collections.ts';
import { expectedReport } from '../testing/expected-report.ts';
import { admin } from '../testing/people.ts';
import { clinicRequests, read, storedAppointment, verdict } from '../testing/test-clinic.ts';
import { replicatedClinic } from '../testing/service-process.ts';
import { keepAppointmentRollups } from './appointment-rollups.ts';

const doctors = [
  { email: 'ada@clinic.example', name: 'Dr. Ada', specialization: 'Cardiologist' },
  { email: 'bo@clinic.example', name: 'Dr. Bo', specialization: 'Cardiologist' },
  { email: 'cy@clinic.example', name: 'Dr. Cy', specialization: 'Pediatrics' },
  { email: 'di@clinic.example', name: 'Dr. Di', specialization: 'Dermatology' },
] as const;
const times = ['00:00', '09:00', '09:30', '10:00', '23:59'] as const;
/** Days of the month without appointments. */
const emptyDays = [0, 7, 8, 29];

const { clinic, startReplica } = await replicatedClinic();
/** The first day of the seeded month. */
const first = addDays(clinic.today, 2);
for (const doctor of doctors) await clinic.addDoctor({ ...doctor, availableTimes: times });
const replicas = await Promise.all([startReplica(), startReplica()]);

const day = fc.nat(29).filter((offset) => !emptyDays.includes(offset));
const plan = fc.record({
  day,
  time: fc.constantFrom(...times),
  doctor: fc.constantFrom(...doctors),
  fate: fc.constantFrom('Pending', 'Confirmed', 'Cancelled', 'moved', 'moved and cancelled'),
  movedTo: day,
  movedAt: fc.constantFrom(...times),
});

/** A realistic month: bookings, responses and moves by many people at once, through two replicas. */
async function seedMonth(): Promise<void> {
  const plans = fc.sample(plan, { seed: 20_261_121, numRuns: 80 });
  const statuses: Record<number, number> = {};
  const one = async (
    { day: on, time, doctor, fate, movedTo, movedAt }: (typeof plans)[number],
    index: number,
  ): Promise<void> => {
    const as = (index % 2 === 0 ? replicas[0] : replicas[1]).as(admin);
    const send = async (method: string, path: string, json: unknown): Promise<Response> => {
      // Retries, as pages do, while a busy machine rejects the request because of too many concurrent changes.
      const answer = await waitUntil(async () => {
        const response = await as(path, { method, json });
        return response.status !== 503 && response;
      });
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      return answer;
    };
    const booked = await send(
      'POST',
      '/appoinments',
      clinic.booking({
        patientemail: `patient${index % 20}@mail.example`,
        doctoremail: doctor.email,
        date: addDays(first, on),
        time,
        walkIn: index % 3 === 0,
      }),
    );
    if (booked.status !== 201) return;
    const { _id } = (await booked.json()) as Appointment;
    if (fate.startsWith('moved'))
      await send('PATCH', `/appoinments/${_id}`, { date: addDays(first, movedTo), time: movedAt });
    if (fate === 'Confirmed' || fate === 'moved')
      await send('PATCH', `/update-appoinment/${_id}`, { newStatus: 'Confirmed' });
    if (fate.includes('ancelled')) await send('PATCH', `/update-appoinment/${_id}`, { newStatus: 'Cancelled' });
  };
  for (let from = 0; from < plans.length; from += 16)
    await Promise.all(plans.slice(from, from + 16).map((each, index) => one(each, from + index)));
  assert.deepEqual(
    Object.keys(statuses),
    ['200', '201', '409'],
    `the month was seeded correctly: ${JSON.stringify(statuses)}`,
  );
}
await seedMonth();

async function reportOf(query = ''): Promise<AppointmentReport> {
  return clinicCalls.reportAppointments.response
    .strict()
    .parse(await read(clinic.as('admin'), `/appoinments/report${query}`));
}

test('a month’s figures match the raw lists, including days without appointments', async () => {
  const to = addDays(first, 29);
  const report = await reportOf(`?from=${first}&to=${to}`);
  assert.deepEqual(report, await expectedReport(clinic, first, to));
  assert.equal(report.byDay.length, 30);
  assert.ok(emptyDays.every((offset) => report.byDay[offset]?.total === 0));
  assert.ok(
    report.totals.pending > 5 && report.totals.confirmed > 5 && report.totals.cancelled > 5,
    JSON.stringify(report.totals),
  );
});

test('the figures of part of a month, of a single day and of days without appointments match them, too', async () => {
  const spans = fc
    .sample(fc.tuple(fc.nat(35), fc.nat(35)), { seed: 7, numRuns: 12 })
    .map(([a, b]) => [Math.min(a, b) - 3, Math.max(a, b) - 3] as const);
  for (const [a, b] of [...spans, [5, 5], [0, 0], [60, 80]] as const) {
    const [from, to] = [addDays(first, a), addDays(first, b)];
    assert.deepEqual(
      await reportOf(`?from=${from}&to=${to}`),
      await expectedReport(clinic, from, to),
      `${from} to ${to}`,
    );
  }
});

test('the default is the 30 days up to today; a single day starts or ends the 30 days', async () => {
  const span = async (query?: string) => {
    const { from, to, byDay } = await reportOf(query);
    return [from, to, byDay.length];
  };
  const last = addDays(clinic.today, -29);
  assert.deepEqual(await span(), [last, clinic.today, 30]);
  assert.deepEqual(await span('?from=2026-02-20'), ['2026-02-20', '2026-03-21', 30]);
  assert.deepEqual(await span('?to=2024-03-01'), ['2024-02-01', '2024-03-01', 30]);
  assert.deepEqual(await span('?from=2028-01-01&to=2028-12-31'), ['2028-01-01', '2028-12-31', 366]);
});

test('invalid periods are rejected, naming the field', async () => {
  const wrong = [
    ['?from=2026-02-30', 'from', 'From must be a date (yyyy-mm-dd)'],
    ['?to=tomorrow', 'to', 'To must be a date (yyyy-mm-dd)'],
    ['?from=', 'from', 'From is required'],
    ['?from=2026-02-02&to=2026-02-01', 'to', 'To can’t be before From'],
    ['?from=2026-01-01&to=2027-01-02', 'to', `A report can cover at most ${maxReportDays} days`],
    ['?from=0026-01-01&to=0026-01-02', 'from', 'From must be in the years 1900 to 2999'],
    ['?to=9999-12-31', 'to', 'To must be in the years 1900 to 2999'],
    ['?from=2026-01-01&from=2026-01-02', 'from', undefined],
  ] as const;
  for (const [query, field, message] of wrong) {
    const answer = await clinic.as(admin)(`/appoinments/report${query}`);
    const { code, errors } = (await answer.json()) as { code: string; errors: { field: string; message: string }[] };
    assert.deepEqual([answer.status, code, errors[0]?.field], [400, 'validation_failed', field], query);
    if (message !== undefined) assert.equal(errors[0]?.message, message);
  }
});

test('only admins can read the report', async () => {
  assert.equal(await verdict(clinic.anonymous('/appoinments/report')), '401 unauthenticated');
  for (const role of ['doctor', 'patient', 'pharmacist'] as const)
    assert.equal(await verdict(clinic.as(role)('/appoinments/report')), '403 forbidden');
});

test('its parts add up during concurrent bookings, confirmations and cancellations', async () => {
  const date = addDays(first, 40);
  const changes = Promise.all(
    doctors.flatMap(({ email: doctoremail }, at) =>
      times.slice(0, 4).map(async (time) => {
        const as = (at % 2 === 0 ? replicas[0] : replicas[1]).as(admin);
        const booked = await untilServed(() =>
          as('/appoinments', {
            method: 'POST',
            json: clinic.booking({ patientemail: `busy${at}@mail.example`, doctoremail, date, time }),
            headers: { 'Idempotency-Key': `${at}-${time}` },
          }),
        );
        const { _id } = (await booked.json()) as Appointment;
        const cancelled = await untilServed(() =>
          clinicRequests(() => as, clinic.soon).setStatus(admin, _id, 'Cancelled'),
        );
        // A repeated change has been made already.
        if (cancelled.status !== 409) assert.equal(cancelled.status, 200);
      }),
    ),
  );
  let over = false;
  const ended = changes.finally(() => {
    over = true;
  });
  while (!over) {
    const { totals, byDay, byDoctor, bySpecialty } = await reportOf(`?from=${date}&to=${date}`);
    const sum = (rows: readonly { readonly total: number }[]) => rows.reduce((all, { total }) => all + total, 0);
    assert.deepEqual([sum(byDay), sum(byDoctor), sum(bySpecialty)], [totals.all, totals.all, totals.all]);
  }
  await ended;
  assert.deepEqual((await reportOf(`?from=${date}&to=${date}`)).totals, {
    all: 16,
    pending: 0,
    confirmed: 0,
    cancelled: 16,
  });
});

/** A doctor without a profile. */
const withoutProfile = {
  id: null,
  name: 'Dr. Gone',
  email: 'gone@clinic.example',
  specialty: 'Other',
  total: 1,
  pending: 0,
  confirmed: 1,
  cancelled: 0,
};

test('a doctor without a profile is counted under the name on the appointments', async () => {
  const date = addDays(first, 50);
  const { name: doctorName, email: doctorEmail } = withoutProfile;
  await clinic.appointments.insertOne(storedAppointment({ doctorName, doctorEmail, date, time: '09:00' }));
  // Written directly, as by a release without rollups; the next start notices.
  assert.ok((await keepAppointmentRollups(clinic.context)) > 0);
  const { byDoctor, bySpecialty } = await reportOf(`?from=${date}&to=${date}`);
  assert.deepEqual(byDoctor, [withoutProfile]);
  assert.deepEqual(bySpecialty, [{ specialty: 'Other', total: 1, cancelled: 0 }]);
});

test('lost rollups are rebuilt at start, during bookings and the start of another replica', async () => {
  const { appointmentTallies } = collectionsOf(clinic.db);
  const [from, to] = [first, addDays(first, 60)];
  assert.equal(await keepAppointmentRollups(clinic.context), 0, 'there was nothing to rebuild');
  await appointmentTallies.deleteMany({ date: { $gte: addDays(first, 10) } });
  const bookings = doctors.flatMap(({ email: doctoremail }, which) =>
    times.map(async (time, at) => {
      const as = (at % 2 === 0 ? replicas[0] : replicas[1]).as(admin);
      for (const offset of [45, 12])
        await as('/appoinments', {
          method: 'POST',
          json: clinic.booking({
            patientemail: `late${which}@mail.example`,
            doctoremail,
            date: addDays(first, offset),
            time,
          }),
        });
    }),
  );
  const [one, other] = await Promise.all([
    keepAppointmentRollups(clinic.context),
    keepAppointmentRollups(clinic.context),
    ...bookings,
  ]);
  assert.ok(one + other > 0);
  const expected = await expectedReport(clinic, from, to);
  assert.deepEqual(await reportOf(`?from=${from}&to=${to}`), {
    ...expected,
    byDoctor: [...expected.byDoctor, withoutProfile],
    bySpecialty: [...expected.bySpecialty, { specialty: 'Other', total: 1, cancelled: 0 }],
  });
});

test('deleting people changes the figures only by their upcoming appointments', async () => {
  const date = addDays(first, 70);
  for (const time of times)
    await clinic.requestBooking(admin, {
      patientemail: 'leaving@mail.example',
      doctoremail: doctors[0].email,
      date,
      time,
    });
  await clinic.erase(personWith('a'.repeat(24), 'leaving@mail.example'));
  assert.deepEqual((await reportOf(`?from=${date}&to=${date}`)).totals, {
    all: 5,
    pending: 0,
    confirmed: 0,
    cancelled: 5,
  });

  const { totals } = await reportOf(`?from=${first}&to=${date}`);
  await clinic.erase(personWith(clinic.issuer.idOf(doctors[1].email), doctors[1].email));
  const without = await reportOf(`?from=${first}&to=${date}`);
  assert.deepEqual([without.totals.all, without.totals.cancelled > totals.cancelled], [totals.all, true]);
  assert.deepEqual(
    without.byDoctor.filter(({ id }) => id === null).map(({ specialty }) => specialty),
    ['Other', 'Other'],
  );
  assert.ok(!JSON.stringify(without).includes(doctors[1].email));
  assert.equal(await keepAppointmentRollups(clinic.context), 0, 'everything was counted');
});
