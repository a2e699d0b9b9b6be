import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CommandStartedEvent, Document } from 'mongodb';
import {
  startTestDatabase,
  usesIndex,
  winningStages,
  withUriOption,
  type TestDatabase,
} from '@clinic/service-kit/testing';
import {
  ann,
  ben,
  book,
  booking,
  drGrey,
  drHouse,
  eventually,
  staffOf,
  startTestClinic,
  type TestClinic,
} from './testing/test-clinic.ts';

let database: TestDatabase;
let clinic: TestClinic;
before(async () => {
  database = await startTestDatabase();
  clinic = await startTestClinic({ MONGODB_URI: withUriOption(database.uri, 'monitorCommands', 'true') });
});
after(async () => {
  await clinic.close();
  await database.close();
});

/** The parts of a query command to pass to `explain`. */
const parts: Readonly<Record<string, readonly string[]>> = {
  find: ['find', 'filter', 'sort', 'limit', 'projection'],
  aggregate: ['aggregate', 'pipeline', 'cursor'],
  update: ['update', 'updates'],
  delete: ['delete', 'deletes'],
};

test('no query of the service scans a whole collection', async () => {
  const doctor = await clinic.addDoctor();
  const asked = new Map<string, Document>();
  const listen = ({ commandName, command, databaseName }: CommandStartedEvent): void => {
    const fields = parts[commandName];
    if (!fields || databaseName !== clinic.db.databaseName) return;
    const question = Object.fromEntries(
      fields.filter((field) => field in command).map((field) => [field, command[field]]),
    );
    asked.set(JSON.stringify(question), question);
  };
  clinic.client.on('commandStarted', listen);

  const admin = clinic.as('admin');
  // A doctor's profile that gets its account, and an account that gets earlier bookings for its address.
  await clinic.addDoctor({ email: drHouse.email, availableTimes: [] }, false);
  for (const patientemail of [ann.email, ben.email])
    await admin('/appoinments', {
      method: 'POST',
      json: booking(clinic, {
        doctoremail: drHouse.email,
        patientemail,
        date: patientemail === ann.email ? clinic.soon : clinic.today,
        time: '23:59',
      }),
    });
  clinic.issuer.setStaff([staffOf(clinic, drGrey), staffOf(clinic, drHouse)]);
  await eventually(async () =>
    assert.equal(
      (await clinic.doctors.findOne({ email: drHouse.email }))?.accountId,
      clinic.issuer.idOf(drHouse.email),
    ),
  );
  const { _id } = await book(clinic);
  await clinic.as(ann)('/appoinments', {
    method: 'POST',
    json: booking(clinic),
    headers: { 'Idempotency-Key': 'again' },
  });
  await admin(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } });
  await admin(`/appoinments/${_id}`, { method: 'PATCH', json: { date: clinic.soon, time: '09:30' } });
  await clinic.as(ann)('/appoinments', { method: 'POST', json: booking(clinic, { time: '09:30' }) });
  await admin(`/doctors/${doctor._id.toHexString()}`, { method: 'PATCH', json: { daysOff: [clinic.today] } });
  await admin('/doc-pharma', {
    method: 'POST',
    json: {
      name: 'Pia',
      email: 'pia@clinic.example',
      qualification: 'PharmD',
      specialization: 'x',
      experience: 2,
      role: 'pharmacist',
    },
  });
  await clinic.as(drGrey)(`/doc-pharma/${drGrey.email}`);
  const doctorId = doctor._id.toHexString();
  const lists = [
    ...[
      '',
      '&sort=experience',
      '&sort=rating',
      '&q=gre',
      '&email=grey@clinic.example',
      '&specialty=Cardiologist',
      '&specialty=Cardiologist&sort=experience',
      '&specialty=Cardiologist&q=gre&sort=rating',
      '&sort=soonest',
      '&q=cardiology&sort=soonest',
      `&specialty=Cardiologist&from=${clinic.today}&until=${clinic.soon}&part=morning`,
      `&from=${clinic.soon}&sort=name`,
    ].map((more) => `/doctors?${more}`),
    '/pharmacists?',
    '/pharmacists?q=p',
    ...[
      '',
      '&status=Confirmed',
      `&from=${clinic.today}&until=${clinic.today}`,
      `&status=Pending&from=${clinic.today}`,
      '&open=true&when=coming',
      '&open=true&when=past',
      '&when=coming',
      '&open=true',
      '&q=ann',
      '&q=ann%20gre&status=Confirmed',
    ].flatMap((more) =>
      ['', '&sort=date'].flatMap((sort) => [
        `/appoinments?${more}${sort}`,
        `/appoinments?email=${drGrey.email}${more}${sort}`,
        `/appoinments/unconfirmed?email=${drGrey.email}${more}${sort}`,
      ]),
    ),
  ];
  const own = (email: string, more: string) => [
    ...[
      '',
      '&status=Confirmed',
      `&from=${clinic.today}`,
      '&open=true&when=coming',
      '&open=true&when=past',
      '&when=coming',
      '&status=Cancelled',
      '&q=ann',
    ].flatMap((filter) => [
      `/appoinments?email=${email}${filter}`,
      `/appoinments?email=${email}${filter}&sort=date&limit=1`,
    ]),
    `/appoinments/export?email=${email}`,
    more,
  ];
  for (const [who, more] of [
    [ann, `/appoinments/export?email=${ann.email}`],
    [drGrey, `/appoinments/unconfirmed?email=${drGrey.email}&limit=1`],
  ] as const) {
    for (const path of own(who.email, more)) {
      const answer = await clinic.as(who)(path);
      assert.equal(answer.status, 200, path);
      await answer.arrayBuffer();
    }
  }
  assert.equal(
    (
      await clinic.as(ben)('/appoinments/erasure', {
        method: 'POST',
        json: { email: ben.email, userId: clinic.issuer.idOf(ben.email) },
      })
    ).status,
    200,
  );
  for (const path of [
    ...lists,
    ...lists.map((list) => `${list}&limit=1`),
    `/doctors?_id=${doctorId}`,
    `/appoinments/${_id}/history`,
    `/appoinments/${_id}/calendar`,
    `/doctors/${doctorId}/outside-times`,
    `/appoinments/report?from=${clinic.today}`,
    `/doctors/${doctorId}/free-days?from=${clinic.today}&until=${clinic.soon}`,
    `/doctors/${doctorId}/free-times?date=${clinic.soon}`,
  ]) {
    const answer = await admin(path);
    assert.equal(answer.status, 200, path);
    await answer.arrayBuffer();
  }
  // For a doctor without a profile, the report reads the appointments.
  await clinic.doctors.deleteOne({ _id: doctor._id });
  assert.equal((await admin(`/appoinments/report?from=${clinic.today}`)).status, 200);
  clinic.client.off('commandStarted', listen);

  assert.ok(asked.size > 40, `only ${asked.size} different queries were seen`);
  for (const [text, question] of asked) {
    const explained = await clinic.db.command({ explain: question, verbosity: 'queryPlanner' });
    assert.ok(usesIndex(explained), `${text} scans the collection: ${winningStages(explained).join(', ')}`);
  }
});
