import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { addDays, type CallResponse } from '@clinic/contracts';
import type { CommandStartedEvent, Document } from 'mongodb';
import type { AttendanceState } from './contract/attendance.ts';
import type { Appointment } from './contract/schemas.ts';
import {
  personWith,
  startTestDatabase,
  usesIndex,
  winningStages,
  withUriOption,
  type TestDatabase,
} from '@clinic/service-kit/testing';
import { ann, ben, drGrey, drHouse } from './testing/people.ts';
import { staffOf, startTestClinic, type TestClinic } from './testing/test-clinic.ts';

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
  const queries = new Map<string, Document>();
  const listen = ({ commandName, command, databaseName }: CommandStartedEvent): void => {
    const fields = parts[commandName];
    if (!fields || databaseName !== clinic.db.databaseName) return;
    const question = Object.fromEntries(
      fields.filter((field) => field in command).map((field) => [field, command[field]]),
    );
    queries.set(JSON.stringify(question), question);
  };
  clinic.client.on('commandStarted', listen);

  const admin = clinic.as('admin');
  // A doctor's profile is linked to its account, and an account gets the earlier bookings for its address.
  await clinic.addDoctor({ email: drHouse.email, availableTimes: ['23:59'] }, false);
  const withHouse = async (patientemail: string, date: string) => {
    const fields = { doctoremail: drHouse.email, patientemail, date, time: '23:59' };
    return (await (await clinic.requestBooking('admin', fields)).json()) as Appointment;
  };
  await withHouse(ann.email, clinic.soon);
  const ofToday = await withHouse(ben.email, clinic.today);
  clinic.issuer.setStaff([staffOf(clinic, drGrey), staffOf(clinic, drHouse)]);
  await waitUntil(async () =>
    assert.equal(
      (await clinic.doctors.findOne({ email: drHouse.email }))?.accountId,
      clinic.issuer.idOf(drHouse.email),
    ),
  );
  const { _id } = await clinic.book();
  await clinic.as(ann)('/appoinments', {
    method: 'POST',
    json: clinic.booking(),
    headers: { 'Idempotency-Key': 'again' },
  });
  const note = (from: AttendanceState, to: AttendanceState) =>
    admin(`/appoinments/${ofToday._id}/attendance`, { method: 'PATCH', json: { from, to } });
  assert.equal((await note('expected', 'arrived')).status, 200);
  assert.equal((await note('arrived', 'called')).status, 200);
  const screen = (await (
    await admin('/appoinments/waiting-screen', { method: 'POST' })
  ).json()) as CallResponse<'replaceWaitingScreen'>;
  await admin(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } });
  await admin(`/appoinments/${_id}`, { method: 'PATCH', json: { date: clinic.soon, time: '09:30' } });
  await clinic.requestBooking(ann, { time: '09:30' });
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
  const colleagues = [drHouse.email];
  await admin('/appoinments/day/times', { method: 'POST', json: { appointments: [_id], colleagues } });
  await admin('/appoinments/arrivals', { method: 'POST', json: { code: '2222' } });
  const { date, time } = clinic.booking({ time: '09:30' });
  await admin(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } });
  const changes = [{ id: _id, seen: { date, time, status: 'Cancelled' } }];
  await admin('/appoinments/undone-status', { method: 'PATCH', json: { changes } });
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
    [drGrey, `/appoinments/day?date=${clinic.today}&email=${drGrey.email}`],
  ] as const) {
    for (const path of own(who.email, more)) {
      const answer = await clinic.as(who)(path);
      assert.equal(answer.status, 200, path);
      await answer.arrayBuffer();
    }
  }
  await clinic.erase(personWith(clinic.issuer.idOf(ben.email), ben.email));
  const later = addDays(clinic.soon, 20);
  await admin('/doctors/holidays', { method: 'POST', json: { name: 'Eid', from: later, until: later } });
  for (const path of [
    ...lists,
    ...lists.map((list) => `${list}&limit=1`),
    `/doctors?_id=${doctorId}`,
    '/doctors/holidays/outside',
    '/appoinments/patients?q=lee',
    `/appoinments/patients?q=lee&email=${drGrey.email}`,
    `/appoinments/${ofToday._id}/queue`,
    '/appoinments/waiting-screen',
    `/waiting-room/${screen.secret}`,
    `/appoinments/${_id}/history`,
    `/appoinments/${_id}/calendar`,
    `/doctors/${doctorId}/outside-times`,
    `/appoinments/report?from=${clinic.today}`,
    `/doctors/${doctorId}/free-days?from=${clinic.today}&until=${clinic.soon}`,
    `/doctors/${doctorId}/free-times?date=${clinic.soon}`,
    `/appoinments/day?date=${clinic.today}`,
    `/appoinments/day?date=${clinic.today}&email=${drGrey.email}`,
    `/doctors/calendar?doctor=${doctorId}&from=${clinic.today}&until=${clinic.soon}`,
    `/doctors/calendar?from=${clinic.soon}&until=${clinic.soon}`,
    `/doctors/calendar?from=${clinic.soon}&until=${clinic.soon}&after=${doctorId}`,
  ]) {
    const answer = await admin(path);
    assert.equal(answer.status, 200, path);
    await answer.arrayBuffer();
  }
  // The waitlist: an offer that is declined, one that is accepted, and a list of all appointments while there is a hold.
  const waiting = { patientemail: ann.email, doctoremail: drGrey.email, from: clinic.soon, until: clinic.soon };
  const details = { patientname: 'Ann', age: 40, address: 'Road 5', number: '+880 1555 010999' };
  const asAnn = clinic.as(ann);
  const takesAppointments = (isAvailable: boolean) =>
    admin(`/doctors/${doctorId}`, { method: 'PATCH', json: { isAvailable } });
  await takesAppointments(false);
  const joined = await asAnn('/waitlist', { method: 'POST', json: { ...waiting, ...details, parts: ['morning'] } });
  assert.equal(joined.status, 201);
  await takesAppointments(true);
  const openOffer = () =>
    waitUntil(async () => {
      const answer = await asAnn(`/waitlist/offers?email=${ann.email}&open=true&limit=1`);
      const [offer] = (await answer.json()) as { readonly _id: string }[];
      assert.ok(offer);
      return offer._id;
    });
  const declined = await openOffer();
  for (const path of [
    '/appoinments',
    '/appoinments?limit=1',
    '/appoinments?sort=date&limit=1',
    '/waitlist?limit=1',
    '/waitlist?open=true&sort=joined&limit=1',
    '/waitlist?open=false&limit=1',
    '/waitlist?q=ann%20lee&open=true&sort=joined&limit=1',
    '/waitlist?q=01555&limit=1',
    `/waitlist?email=${ann.email}&limit=1`,
    '/waitlist/offers?limit=1',
    `/waitlist/offers?email=${ann.email}&limit=1`,
    '/waitlist/offers?open=false&limit=1',
    `/doctors/${doctorId}/waitlist`,
    `/doctors/${doctorId}/waitlist?limit=1`,
  ])
    assert.equal((await admin(path)).status, 200, path);
  assert.equal((await asAnn(`/waitlist/offers/${declined}/decline`, { method: 'POST', json: {} })).status, 200);
  const accepted = await openOffer();
  assert.equal((await asAnn(`/waitlist/offers/${accepted}/accept`, { method: 'POST', json: {} })).status, 200);
  await asAnn(`/waitlist?email=${ann.email}&limit=1`);
  await waitUntil(
    async () => (await clinic.db.collection('freedTimes').findOne({ at: { $gt: new Date(0) } })) === null,
  );
  assert.equal((await admin('/appoinments/waiting-screen', { method: 'DELETE' })).status, 204);
  // For a doctor without a profile, the report reads the appointments.
  await clinic.doctors.deleteOne({ _id: doctor._id });
  assert.equal((await admin(`/appoinments/report?from=${clinic.today}`)).status, 200);
  clinic.client.off('commandStarted', listen);

  assert.ok(queries.size > 40, `only ${queries.size} different queries were seen`);
  for (const [text, question] of queries) {
    const explained = await clinic.db.command({ explain: question, verbosity: 'queryPlanner' });
    assert.ok(usesIndex(explained), `${text} scans the collection: ${winningStages(explained).join(', ')}`);
  }
});
