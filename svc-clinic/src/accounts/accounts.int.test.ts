import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { Appointment, Doctor } from '../contract/schemas.ts';
import type { ErasureReport, ExportedThing } from '@clinic/service-kit';
import { ann, ben, drGrey } from '../testing/people.ts';
import { read, verdict, type Who, minutesFrom } from '../testing/test-clinic.ts';
import { listenForChanges } from '../testing/listen.ts';
import { replicatedClinic } from '../testing/service-process.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const { clinic, startReplica } = await replicatedClinic();
const replica = await startReplica();
const doctorPath = `/doctors/${(await clinic.addDoctor({ availableTimes: ['09:00', '09:30', ...minutesFrom('10:00', 10), ...minutesFrom('11:00', 4)] }))._id.toHexString()}`;
/** Has registered Ann's address, but can't read her mail. */
const squatter = { ...ann, id: 'f'.repeat(24), confirmed: false };
beforeEach(() => clinic.empty('appointments', 'events', 'persons', 'contacts', 'appointmentTallies', 'idempotency'));

/** A person whose account no replica has cached yet. */
let newcomers = 0;
const newcomer = () => {
  newcomers += 1;
  return { role: 'patient', email: `newcomer${newcomers}@mail.example` } as const;
};

const listOf = async (who: Who, email: string): Promise<Appointment[]> =>
  await read<Appointment[]>(clinic.as(who), `/appoinments?email=${email}`);
const idsOf = async (who: Who, email: string): Promise<string[]> => (await listOf(who, email)).map(({ _id }) => _id);
const exportOf = async (who: Who, email: string): Promise<ExportedThing[]> =>
  await read<ExportedThing[]>(clinic.as(who), `/appoinments/export?email=${email}`);
const erase = (email: string, id: string, confirmed: boolean): Promise<ErasureReport> =>
  clinic.erase({ id, email, addresses: [{ email, since: new Date(0), confirmed, others: [] }] });
const bookByAdmin = async (patientemail: string, time = '09:00'): Promise<Appointment> => {
  const answer = await clinic.requestBooking('admin', { patientemail, time });
  assert.equal(answer.status, 201);
  return (await answer.json()) as Appointment;
};

test('somebody who registered another person’s address can’t see or change its bookings', async () => {
  const { _id } = await bookByAdmin(ann.email);
  assert.deepEqual(await listOf(squatter, ann.email), []);
  assert.deepEqual(await exportOf(squatter, ann.email), []);
  for (const path of ['history', 'calendar'])
    assert.equal(await verdict(clinic.as(squatter)(`/appoinments/${_id}/${path}`)), '403 forbidden');
  for (const status of ['Confirmed', 'Cancelled'])
    assert.equal(await verdict(clinic.setStatus(squatter, _id, status)), '403 forbidden');
  assert.equal(await verdict(clinic.reschedule(squatter, _id, clinic.soon, '10:00')), '403 forbidden');
  const record = await clinic.appointments.findOne({});
  assert.deepEqual([record?.status, record?.time, record && 'patientId' in record], ['Pending', '09:00', false]);
  assert.equal(await clinic.db.collection('events').countDocuments({}), 1);
});

test('the account that confirms the address gets its bookings and history, and no later account does', async () => {
  const person = newcomer();
  const { _id } = await bookByAdmin(person.email);
  assert.deepEqual(await idsOf(person, person.email), [_id]);
  assert.equal((await clinic.appointments.findOne({}))?.patientId, clinic.issuer.idOf(person.email));
  assert.equal(await verdict(clinic.as(person)(`/appoinments/${_id}/history`)), '200');
  assert.deepEqual(
    (await exportOf(person, person.email)).map(({ kind, data }) => [kind, data['action']]),
    [
      ['appointment', undefined],
      ['event', 'booked'],
    ],
  );
  assert.equal(await verdict(clinic.setStatus(person, _id, 'Cancelled')), '200');

  // Somebody else takes over the address and confirms it too.
  const successor = { ...person, id: 'e'.repeat(24) };
  assert.deepEqual(await listOf(successor, person.email), []);
  assert.equal(await verdict(clinic.as(successor)(`/appoinments/${_id}/history`)), '403 forbidden');
  assert.equal((await clinic.appointments.findOne({}))?.patientId, clinic.issuer.idOf(person.email));
});

test('a squatter’s bookings stay the squatter’s, not the address owner’s', async () => {
  const owner = newcomer();
  const stranger = { ...owner, id: 'd'.repeat(24), confirmed: false };
  const answer = await clinic.requestBooking(stranger, { patientemail: owner.email });
  assert.equal(answer.status, 201);
  const { _id } = (await answer.json()) as Appointment;
  assert.deepEqual(await listOf(owner, owner.email), []);
  assert.equal(await verdict(clinic.setStatus(owner, _id, 'Cancelled')), '403 forbidden');
  assert.deepEqual(await idsOf(stranger, owner.email), [_id]);
  assert.equal(await verdict(clinic.setStatus(stranger, _id, 'Cancelled')), '200');
});

test('an unconfirmed account may have one upcoming appointment; the rejection says how to get more', async () => {
  const person = { ...newcomer(), confirmed: false };
  const ask = (who: Who, time: string) => clinic.requestBooking(who, { patientemail: person.email, time });
  assert.equal((await ask(person, '10:00')).status, 201);
  const rejected = await ask(person, '10:01');
  const { code, detail } = (await rejected.json()) as Problem;
  assert.deepEqual(
    [rejected.status, code, detail],
    [
      409,
      'too_many_appointments',
      'You have 1 upcoming appointment. Confirm your email address to book more: open the link in the email we sent you.',
    ],
  );
  assert.equal(await clinic.appointments.countDocuments({}), 1);
  assert.equal((await ask({ ...person, confirmed: true }, '10:01')).status, 201);
});

test('of ten concurrent bookings of an unconfirmed account, over two replicas, one succeeds', async () => {
  const person = { ...newcomer(), confirmed: false };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, minute) =>
      (minute % 2 === 0 ? clinic : replica).requestBooking(person, {
        patientemail: person.email,
        time: `10:0${minute}`,
      }),
    ),
  );
  assert.deepEqual(statusesOf(answers), [201, ...Array.from({ length: 9 }, () => 409)]);
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('somebody who is no longer a doctor, or hasn’t confirmed the address, loses access at once', async () => {
  const { _id } = await clinic.book();
  assert.equal((await listOf(drGrey, drGrey.email)).length, 1);
  for (const who of [
    { ...drGrey, role: 'patient' },
    { ...drGrey, confirmed: false },
  ] as const) {
    assert.deepEqual(await listOf(who, drGrey.email), []);
    assert.equal(await verdict(clinic.as(who)(`/appoinments/unconfirmed?email=${drGrey.email}`)), '403 forbidden');
    for (const path of ['history', 'calendar'])
      assert.equal(await verdict(clinic.as(who)(`/appoinments/${_id}/${path}`)), '403 forbidden');
    assert.equal(await verdict(clinic.setStatus(who, _id, 'Confirmed')), '403 forbidden');
    assert.equal(await verdict(clinic.reschedule(who, _id, clinic.soon, '10:00')), '403 forbidden');
    assert.equal(
      await verdict(clinic.as(who)(doctorPath, { method: 'PATCH', json: { isAvailable: false } })),
      '403 forbidden',
    );
    assert.equal(await verdict(clinic.as(who)(`${doctorPath}/outside-times`)), '403 forbidden');
  }
  const record = await clinic.appointments.findOne({});
  assert.deepEqual(
    [record?.status, record?.time, (await clinic.doctors.findOne({}))?.isAvailable],
    ['Pending', '09:00', true],
  );
  assert.equal(await clinic.db.collection('events').countDocuments({}), 1);
});

test('another doctor account with the same address has no access', async () => {
  const { _id } = await clinic.book();
  const other = { ...drGrey, id: 'c'.repeat(24) };
  assert.deepEqual(await listOf(other, drGrey.email), []);
  assert.deepEqual(await (await clinic.as(other)(`/appoinments/unconfirmed?email=${drGrey.email}`)).json(), []);
  assert.deepEqual(await (await clinic.as(other)(`/doc-pharma/${drGrey.email}`)).json(), []);
  assert.equal(await verdict(clinic.setStatus(other, _id, 'Confirmed')), '403 forbidden');
});

test('an account that changes its address is found under the new one', async () => {
  const person = newcomer();
  const { _id } = await clinic.book({ patientemail: person.email });
  const renamed = { role: 'patient', email: `renamed-${person.email}`, id: clinic.issuer.idOf(person.email) } as const;
  const addresses = (await listOf(renamed, renamed.email)).map(({ patientemail }) => patientemail);
  assert.deepEqual(addresses, [renamed.email]);
  assert.deepEqual(await idsOf('admin', renamed.email), [_id]);
  const found = await read<Appointment[]>(clinic.as('admin'), '/appoinments?q=renamed');
  assert.deepEqual([found.length, found[0]?._id], [1, _id]);
  assert.deepEqual(await listOf('admin', person.email), []);
});

test('no booking is missed while its patient’s account is joined, over two replicas', async () => {
  for (let round = 0; round < 15; round += 1) {
    await clinic.appointments.deleteMany({});
    const person = newcomer();
    const bookings = Array.from({ length: 4 }, (_, minute) => bookByAdmin(person.email, `11:0${minute}`));
    const meetings = [clinic, replica].map((where) => where.as(person)(`/appoinments?email=${person.email}`));
    await Promise.all([...bookings, ...meetings]);
    const records = await clinic.appointments.find({}).toArray();
    assert.deepEqual(
      records.map(({ patientId, accounts }) => [patientId, accounts.includes(patientId ?? '')]),
      Array.from({ length: 4 }, () => [clinic.issuer.idOf(person.email), true]),
      `round ${round}`,
    );
    assert.equal((await listOf(person, person.email)).length, 4);
  }
});

test('deleting an unconfirmed account erases its own records, and nothing else under the address', async () => {
  const person = newcomer();
  const stranger = { ...person, id: 'b'.repeat(24), confirmed: false };
  const others = await bookByAdmin(person.email, '09:00');
  const made = await clinic.requestBooking(stranger, {
    patientemail: person.email,
    time: '09:30',
    patientname: 'Stranger',
  });
  assert.equal(made.status, 201);
  const report = await erase(person.email, stranger.id, false);
  assert.deepEqual(report, { service: 'clinic', done: true, records: 1, cancelled: 1, events: 1 });
  const [kept] = await listOf('admin', person.email);
  assert.deepEqual([kept?._id, kept?.status], [others._id, 'Pending']);
  const gone = await clinic.appointments.findOne({ time: '09:30' });
  assert.deepEqual(
    [gone?.patientName, gone?.patientEmail, gone && 'patientId' in gone, gone?.accounts],
    ['Deleted person', `deleted-${stranger.id}@deleted.invalid`, false, [clinic.issuer.idOf(drGrey.email)]],
  );

  // A confirmed account also erases records under the address without an account, and leaves another account's.
  await clinic.requestBooking(ben, { patientemail: ben.email, time: '10:00' });
  await clinic.appointments.updateOne({ time: '10:00' }, { $set: { patientEmail: person.email } });
  const id = clinic.issuer.idOf(person.email);
  assert.equal((await erase(person.email, id, true)).done, true);
  // Not by the report's count, which leaves out a step that was interrupted and repeated.
  assert.equal((await clinic.appointments.findOne({ time: '09:00' }))?.patientEmail, `deleted-${id}@deleted.invalid`);
  const [left, ...more] = await clinic.appointments.find({ patientEmail: person.email }).toArray();
  assert.deepEqual([left?.time, left?.status, more], ['10:00', 'Pending', []]);
});

test('a doctor’s figures stay when a stranger with the doctor’s address is deleted', async () => {
  await clinic.book();
  const stranger = { role: 'patient', email: drGrey.email, id: 'a'.repeat(24), confirmed: false } as const;
  const report = await erase(drGrey.email, stranger.id, false);
  assert.deepEqual(report, { service: 'clinic', done: true, records: 0, cancelled: 0, events: 0 });
  assert.equal(await clinic.doctors.countDocuments({}), 1);
  const { totals } = await read<{ totals: unknown }>(
    clinic.as('admin'),
    `/appoinments/report?from=${clinic.soon}&to=${clinic.soon}`,
  );
  assert.deepEqual(totals, { all: 1, pending: 1, confirmed: 0, cancelled: 0 });
});

test(
  'live lists follow accounts: the patient is notified of a change, a squatter with the same address isn’t',
  { timeout: 120_000 },
  async () => {
    const person = newcomer();
    const { _id } = await clinic.book({ patientemail: person.email });
    const stranger = { ...person, id: '9'.repeat(24), confirmed: false };
    const listening = new AbortController();
    const listen = (who: Who) => listenForChanges(clinic, who, listening.signal);
    const [patientReceives, strangerReceives] = await Promise.all([listen(person), listen(stranger)]);
    assert.equal(await verdict(clinic.setStatus(drGrey, _id, 'Confirmed')), '200');
    assert.match(await patientReceives(/event: change\ndata: .*\n/), /"listAppointments"/);
    assert.ok(!(await strangerReceives(/event: beat/)).includes('event: change'));
    listening.abort();
  },
);

test('a doctor whose account changes its email address keeps profile, appointments and permissions', async () => {
  const moved = { ...drGrey, email: 'meredith@new.example', id: clinic.issuer.idOf(drGrey.email) } as const;
  const { _id } = await clinic.book();
  const [listed] = await listOf(moved, moved.email);
  assert.deepEqual([listed?._id, listed?.doctoremail, listed?.you], [_id, drGrey.email, ['doctor']]);
  const unconfirmed = await clinic.as(moved)(`/appoinments/unconfirmed?email=${moved.email}`);
  const [waiting, ...others] = (await unconfirmed.json()) as Appointment[];
  assert.deepEqual([waiting?._id, waiting?.you, others], [_id, ['doctor'], []]);
  const profilesAsked = async (who: Who) =>
    (await read<Doctor[]>(clinic.as(who), `/doc-pharma/${moved.email}`)).map(({ email }) => email);
  assert.deepEqual([await profilesAsked(moved), await profilesAsked('admin')], [[drGrey.email], [drGrey.email]]);
  assert.equal(
    await verdict(clinic.as(moved)(doctorPath, { method: 'PATCH', json: { daysOff: [clinic.today] } })),
    '200',
  );
  const confirmed = (await (await clinic.setStatus(moved, _id, 'Confirmed')).json()) as Appointment;
  assert.deepEqual([confirmed.status, confirmed.you], ['Confirmed', ['doctor']]);
  await clinic.as(moved)(doctorPath, { method: 'PATCH', json: { daysOff: [] } });
  // Whoever has the address now isn't this doctor, though the directory still has it.
  const next = { role: 'doctor', email: drGrey.email, id: '8'.repeat(24) } as const;
  assert.deepEqual(await read<Doctor[]>(clinic.as(next), `/doc-pharma/${next.email}`), []);
  assert.deepEqual(await read<Doctor[]>(clinic.as('admin'), `/doc-pharma/${next.email}`), []);
  assert.deepEqual(await profilesAsked('admin'), [drGrey.email]);
});

test('`you` names the caller’s part in an appointment, by account and current role', async () => {
  await clinic.book();
  const shown = async (who: Who, email: string) => (await listOf(who, email)).map(({ you }) => you);
  assert.deepEqual(await shown(ann, ann.email), [['patient']]);
  assert.deepEqual(await shown(drGrey, drGrey.email), [['doctor']]);
  assert.deepEqual(await shown('admin', ann.email), [[]]);
  // The same address with another account, and the doctor's account without the role.
  assert.deepEqual(await shown(squatter, ann.email), []);
  assert.deepEqual(await shown({ ...drGrey, role: 'patient' }, drGrey.email), []);
});
