import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type CallBody, type Problem } from '@clinic/contracts';
import { erasedEmail, erasedName, idOfNoEmail, noEmail } from '@clinic/contracts/erased-person';
import { startLocalDeletion } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import type { Appointment } from '../contract/schemas.ts';
import { ann, drGrey } from '../testing/people.ts';
import { sharedClinic, staffOf, storedAppointment, type Who } from '../testing/test-clinic.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const clinic = await sharedClinic();
await clinic.addDoctor();
clinic.issuer.setStaff([staffOf(clinic, drGrey)]);
const collections = ['appointments', 'events', 'looks', 'idempotency', 'outbox', 'contacts', 'persons', 'erasures'];
beforeEach(() => clinic.empty(...collections));

const rahim = { patientname: 'Rahim Uddin', patientemail: null, number: '01711 000111', address: '3 Mill Lane' };
const atDesk = async (fields: Partial<CallBody<'bookAppointment'>> = {}): Promise<Appointment> => {
  return readJson<Appointment>(
    clinic.as('admin')('/appoinments', {
      method: 'POST',
      json: clinic.booking({ ...rahim, ...fields }),
      headers: { 'Idempotency-Key': `desk-${fields.time}` },
    }),
    201,
  );
};
const erase = (who: Who, id: string) => clinic.as(who)(`/appoinments/${id}/patient`, { method: 'DELETE' });
const idIn = ({ patientemail }: Appointment): string => idOfNoEmail(patientemail) ?? assert.fail(patientemail);
/** All that is stored, as text. */
const dump = async (): Promise<string> =>
  JSON.stringify(await Promise.all(collections.map((name) => clinic.db.collection(name).find().toArray())));
const refusal = async (answer: Response) => [answer.status, ((await answer.json()) as Problem).detail] as const;

test('a patient without an email address is deleted with every visit, everywhere', async () => {
  const first = await atDesk({ time: '09:00' });
  const { patientemail } = first;
  const second = await atDesk({ patientemail, time: '09:30' });
  const past = storedAppointment({
    patientName: 'Rahim Uddin',
    patientEmail: patientemail,
    date: addDays(clinic.today, -300),
    time: '09:00',
  });
  await clinic.appointments.insertOne(past);
  const others = await clinic.book({ time: '10:00' });
  // Staff look at it, correct it, and the answer to a booking is kept for repeated requests.
  await clinic.as('admin')('/appoinments/patients?q=rahim');
  await clinic.as('admin')(`/appoinments/${second._id}/details`, { method: 'PATCH', json: { number: '01711 000222' } });
  await waitUntil(async () => (await clinic.db.collection('looks').countDocuments({ whose: patientemail })) > 0);

  const answer = await erase('admin', first._id);
  assert.equal(answer.status, 200);
  const erased = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual([erased['done'], erased['records'], erased['cancelled']], [true, 3, 2]);

  const stored = await dump();
  for (const trace of [patientemail, 'Rahim', 'rahim', '01711', '+8801711', '3 Mill Lane'])
    assert.ok(!stored.includes(trace), `${trace} is still stored`);
  const id = idIn(first);
  const visits = await clinic.appointments
    .find({ patientEmail: erasedEmail(id) })
    .sort({ date: 1, time: 1 })
    .toArray();
  assert.deepEqual(
    visits.map(({ patientName, status, patientId, accounts }) => [patientName, status, patientId, accounts.length]),
    [
      [erasedName, 'Confirmed', undefined, 0],
      [erasedName, 'Cancelled', undefined, 1],
      [erasedName, 'Cancelled', undefined, 1],
    ],
  );
  assert.equal((await clinic.appointments.findOne({ _id: new ObjectId(others._id) }))?.patientName, 'Ann Lee');

  const about = await clinic.findEvents({ 'record.type': 'person' });
  assert.deepEqual(
    about.map(({ action, call, actor, record }) => [
      action,
      call,
      (actor as { role?: string } | undefined)?.role,
      record,
    ]),
    [
      ['deletion started', 'erasePatient', 'admin', { type: 'person', id }],
      ['personal data erased', 'erasure', undefined, { type: 'person', id }],
    ],
  );
  // Whoever didn't get the answer asks again.
  for (const { _id } of [first, second]) {
    const again = await erase('admin', _id);
    assert.deepEqual([again.status, await again.json()], [200, erased]);
  }
  assert.equal((await clinic.findEvents({ 'record.type': 'person' })).length, 2);
});

test('a request that overtakes the first finishes the first one’s deletion, as the history says', async () => {
  const { _id, patientemail } = await atDesk({ time: '09:00' });
  const person = { id: idOfNoEmail(patientemail) ?? '', email: patientemail };
  await clinic.context.inTransaction((session) => startLocalDeletion(clinic.context, session, person, 'first'));
  assert.equal((await erase('admin', _id)).status, 200);
  const about = await clinic.findEvents({ 'record.type': 'person', 'record.id': person.id });
  assert.deepEqual(
    about.map(({ action, requestId }) => [action, requestId]),
    [['personal data erased', 'first']],
  );
});

test('a person who was deleted with their account has no deletion here to repeat', async () => {
  const gone = new ObjectId().toHexString();
  const { _id } = await clinic.book({ time: '09:00' });
  await clinic.appointments.updateOne({ _id: new ObjectId(_id) }, { $set: { patientEmail: erasedEmail(gone) } });
  assert.deepEqual(await refusal(await erase('admin', _id)), [409, 'This patient’s details have been deleted.']);
});

test('the times of cancelled visits can be booked again', async () => {
  const { _id } = await atDesk({ time: '09:00' });
  assert.equal((await erase('admin', _id)).status, 200);
  assert.equal((await clinic.requestBooking(ann, { time: '09:00' })).status, 201);
});

test('whoever has an account or an email address isn’t deleted by a visit', async () => {
  const theirs = await clinic.book({ time: '09:00' });
  const withAddress = await atDesk({ patientemail: 'rahim@mail.example', time: '09:30' });
  assert.deepEqual(await refusal(await erase('admin', theirs._id)), [
    409,
    'This patient has an account. Delete it under All Users, or they can delete it themselves.',
  ]);
  assert.deepEqual(await refusal(await erase('admin', withAddress._id)), [
    409,
    'This patient has an email address. Search for it under All Users to delete them.',
  ]);
  assert.equal(await clinic.appointments.countDocuments({ status: 'Pending', patientName: { $ne: erasedName } }), 2);
  assert.equal(await clinic.db.collection('erasures').countDocuments(), 0);
});

test('only admins delete; an unknown visit is not found', async () => {
  const { _id } = await atDesk({ time: '09:00' });
  for (const who of [ann, drGrey]) assert.equal((await erase(who, _id)).status, 403, who.role);
  assert.equal((await erase('admin', new ObjectId().toHexString())).status, 404);
  assert.equal((await clinic.appointments.findOne({ _id: new ObjectId(_id) }))?.patientName, 'Rahim Uddin');
});

test('nobody books for a deleted patient, or for one whose address the desk has never given', async () => {
  const { _id, patientemail } = await atDesk({ time: '09:00' });
  assert.equal((await erase('admin', _id)).status, 200);
  const made = [patientemail, noEmail(new ObjectId().toHexString()), noEmail(clinic.issuer.idOf(ann.email))];
  for (const address of [...made, erasedEmail(clinic.issuer.idOf(ann.email))]) {
    const answer = await clinic.requestBooking('admin', { patientemail: address, time: '09:30' });
    assert.deepEqual(
      [answer.status, ((await answer.json()) as Problem).errors],
      [400, [{ field: 'patientemail', message: 'This patient has been deleted' }]],
    );
    const series = await clinic.as('admin')('/appoinments/series', {
      method: 'POST',
      json: {
        booking: { ...clinic.booking({ time: '09:30' }), patientemail: address },
        dates: [{ date: clinic.soon, time: '09:30' }],
      },
    });
    assert.equal(series.status, 400, address);
  }
  assert.equal(await clinic.appointments.countDocuments(), 1);
});

test('two admins who delete at once delete once', async () => {
  const { _id, patientemail } = await atDesk({ time: '09:00' });
  const other = await atDesk({ patientemail, time: '09:30' });
  const answers = await Promise.all([erase('admin', _id), erase('admin', other._id), erase('admin', _id)]);
  for (const { status } of answers) assert.equal(status, 200);
  // A slow machine's deletion goes on after its answers.
  await waitUntil(async () => assert.equal((await clinic.findEvents({ action: 'personal data erased' })).length, 1));
  assert.equal((await clinic.findEvents({ action: 'deletion started' })).length, 1);
  assert.equal((await clinic.findEvents({ action: 'status changed' })).length, 2);
  assert.ok(!(await dump()).includes('Rahim'));
});

test('a booking at the same moment is rejected or erased with the rest', async () => {
  for (let round = 0; round < 5; round += 1) {
    await clinic.empty(...collections);
    const { _id, patientemail } = await atDesk({ time: '09:00' });
    const [deleted, booked] = await Promise.all([
      erase('admin', _id),
      clinic.requestBooking('admin', { ...rahim, patientemail, time: '09:30' }),
    ]);
    assert.equal(deleted.status, 200);
    assert.ok([201, 400].includes(booked.status), String(booked.status));
    await waitUntil(
      async () => (await clinic.db.collection('erasures').countDocuments({ 'local.email': { $exists: true } })) === 0,
    );
    assert.ok(!(await dump()).includes('Rahim'), `round ${round}`);
  }
});

test('a deletion that was interrupted is taken up again', async () => {
  const { patientemail } = await atDesk({ time: '09:00' });
  const person = { id: idOfNoEmail(patientemail) ?? '', email: patientemail };
  await clinic.context.inTransaction((session) => startLocalDeletion(clinic.context, session, person, 'killed'));
  // Some replica asks what is left to do.
  clinic.issuer.tell({ sub: 'somebody', ver: 1 });
  await waitUntil(async () => !(await dump()).includes('Rahim'));
  await waitUntil(
    async () => (await clinic.db.collection('erasures').countDocuments({ 'local.email': { $exists: true } })) === 0,
  );
});
