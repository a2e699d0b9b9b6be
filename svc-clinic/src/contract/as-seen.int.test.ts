import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import { declaredFor, requestFields } from '@clinic/contracts/testing/contract-fields';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { readJson } from '@clinic/service-kit/testing/read-json';
import type { Document } from 'mongodb';
import { ann, drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, storedAppointment, verdict, type Who } from '../testing/test-clinic.ts';
import { clinicCalls } from './calls.ts';
import type { Appointment } from './schemas.ts';

const clinic = await sharedClinic({ CLINIC_MAX_CHANGES_PER_DAY: '1000000' });
const { soon, issuer } = clinic;
const annsId = issuer.idOf(ann.email);
const knownAccounts = clinic.db.collection<{ _id: string }>('knownAccounts');
const contacts = clinic.db.collection<{ _id: string; accountId?: string }>('contacts');

/** What a request may change. */
const kept = ['appointments', 'events', 'outbox', 'waitlist', 'appointmentTallies'];
beforeEach(async () => {
  await clinic.empty(...kept, 'doctors', 'idempotency', 'contacts', 'knownAccounts');
  await clinic.addDoctor();
  await clinic.addDoctor({ name: 'Dr. Gregory House', email: drHouse.email });
  await contacts.insertOne({ _id: ann.email, accountId: annsId });
});

interface Request {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly json: Document;
}

const send = ({ method, path, json }: Request, who: Who = 'admin') => clinic.as(who)(path, { method, json });
const seenOf = ({ doctoremail, date, time }: Appointment) => ({ doctoremail, date, time });
const ofAnn = () => {
  const { date: _date, time: _time, doctorname: _name, status: _status, ...party } = clinic.booking();
  return { ...party, userId: annsId };
};
const series = (more: object): Request => ({
  method: 'POST',
  path: '/appoinments/series',
  json: { dates: [1, 2].map((days) => ({ date: addDays(soon, days), time: '09:00' })), ...more },
});

/** By call: requests with all that their user saw, after what comes before them. */
const requests: Readonly<Record<string, (visit: Appointment) => Promise<Request> | Request>> = {
  changeAppointmentStatus: ({ _id, status, ...visit }) => ({
    method: 'PATCH',
    path: `/update-appoinment/${_id}`,
    json: { newStatus: 'Confirmed', seen: { ...seenOf({ _id, status, ...visit }), status } },
  }),
  rescheduleAppointment: (visit) => ({
    method: 'PATCH',
    path: `/appoinments/${visit._id}`,
    json: { date: soon, time: '09:30', seen: seenOf(visit) },
  }),
  correctAppointment: ({ _id, patientname, age, address, number }) => ({
    method: 'PATCH',
    path: `/appoinments/${_id}/details`,
    json: { number: '+880 1555 000009', seen: { patientname, age, address, number } },
  }),
  moveToColleague: (visit) => ({
    method: 'PATCH',
    path: `/appoinments/${visit._id}/doctor`,
    json: { doctoremail: drHouse.email, date: soon, time: '09:30', patientChoice: 'agreed', seen: seenOf(visit) },
  }),
  'bookSeries from a visit': ({ _id: from, doctoremail }) => series({ from, seen: { doctoremail } }),
  'bookSeries for anybody': () => series({ booking: ofAnn() }),
  async changeSeries() {
    const booked = await readJson<Appointment[]>(send(series({ booking: ofAnn() })), 201);
    const [first = assert.fail()] = booked;
    const following = booked.map(({ _id: id, date, time }) => ({ id, seen: { date, time } }));
    const json = { seen: seenOf(first), following, change: { act: 'cancel' } };
    return { method: 'PATCH', path: `/appoinments/${first._id}/series`, json };
  },
  async undoMoves(visit) {
    const moved = await readJson<Appointment>(clinic.reschedule('admin', visit._id, soon, '09:30'), 200);
    return {
      method: 'PATCH',
      path: '/appoinments/undone',
      json: { moves: [{ id: moved._id, seen: seenOf(moved) }] },
    };
  },
  async undoStatusChanges({ _id: id, date, time }) {
    assert.equal((await clinic.setStatus('admin', id, 'Confirmed')).status, 200);
    const json = { changes: [{ id, seen: { date, time, status: 'Confirmed' } }] };
    return { method: 'PATCH', path: '/appoinments/undone-status', json };
  },
  async settleOutside() {
    const record = storedAppointment({ date: soon, time: '03:00' });
    await clinic.appointments.insertOne(record);
    return {
      method: 'PATCH',
      path: `/appoinments/${record._id.toHexString()}/outside`,
      json: { seen: { doctoremail: drGrey.email, date: soon, time: '03:00' }, decision: { act: 'keep' } },
    };
  },
  bookAppointment: () => ({
    method: 'POST',
    path: '/appoinments',
    json: clinic.booking({ time: '09:30', userId: annsId }),
  }),
  createProfile: () => ({
    method: 'POST',
    path: '/doc-pharma',
    json: {
      name: 'Dr. Ann Lee',
      email: ann.email,
      userId: annsId,
      role: 'doctor',
      qualification: 'MD',
      specialization: 'Cardiologist',
      experience: 7,
    },
  }),
  joinWaitlist: () => ({
    method: 'POST',
    path: '/waitlist',
    json: { ...clinic.waitlistRequest(ann), userId: annsId, parts: ['evening'] },
  }),
};

/** What somebody else may have made of a field meanwhile. */
const others: Readonly<Record<string, string | number>> = {
  doctoremail: drHouse.email,
  date: addDays(soon, 9),
  time: '10:00',
  status: 'Cancelled',
  userId: 'f'.repeat(24),
  patientname: 'Anne Lee',
  age: 35,
  address: '7 Hill',
  number: '+880 1555 010998',
};

/** A request with another value at a path such as `moves.seen.date`; `undefined` if it has none there. */
function stale(json: unknown, [name = '', ...inner]: readonly string[]): unknown {
  if (Array.isArray(json)) {
    const elements: unknown[] = json.map((one) => stale(one, [name, ...inner]));
    return elements.includes(undefined) ? undefined : elements;
  }
  const value = (json as Document)[name] as unknown;
  if (value === undefined) return undefined;
  const changed = inner.length === 0 ? others[name] : stale(value, inner);
  return changed === undefined ? undefined : { ...(json as Document), [name]: changed };
}

const seenParts = new RegExp(`^body\\.((?:\\w+\\.)*seen\\.(?:${Object.keys(others).join('|')})|(?:\\w+\\.)*userId)$`);
const table = Object.values(clinicCalls as CallTable);
/** Each field that says what the user of a call saw. */
const fields = table.flatMap((call) => {
  const paths = requestFields(call).flatMap(({ path }) => (seenParts.test(path) ? [path] : []));
  const checked = [...new Set(paths)].filter((path) => declaredFor(call.decides, path) !== 'ignored');
  return checked.map((path) => ({ call: call.id, path: path.slice('body.'.length) }));
});
const stored = async (): Promise<string> =>
  JSON.stringify(await Promise.all(kept.map((name) => clinic.db.collection(name).find().sort({ _id: 1 }).toArray())));

test('every field that says what the user saw is tried', () => {
  assert.ok(fields.length >= 24, String(fields.length));
});

for (const { call, path } of fields)
  test(`${call} changes nothing if ${path} is no longer so, and does what it says otherwise`, async () => {
    let tried = 0;
    for (const [name, prepare] of Object.entries(requests).filter(([one]) => one.split(' ')[0] === call)) {
      const request = await prepare(await clinic.book());
      const json = stale(request.json, path.split('.'));
      if (json !== undefined) {
        tried += 1;
        const untouched = await stored();
        assert.match(
          await verdict(send({ ...request, json: json as Document })),
          /^(412 changed_meanwhile|409 transition_refused)$/,
          name,
        );
        assert.ok((await stored()) === untouched, name);
        assert.match(await verdict(send(request)), /^20[01]$/, name);
      }
      await clinic.empty(...kept);
    }
    assert.equal(tried, 1);
  });

const press = (id: string, act: string, seen: object): Promise<string> =>
  verdict(
    clinic.anonymous(`/internal/visits/${id}/change`, {
      method: 'POST',
      json: { account: annsId, seen, change: { act, ...(act === 'move' && { date: soon, time: '09:30' }) } },
      headers: internalHeaders(internalSecret(clinic.context.settings)),
    }),
  );

for (const act of ['cancel', 'move', 'arrive', 'come'])
  test(`a link to ${act} changes nothing if its message showed another visit`, async () => {
    issuer.setStanding(annsId, { active: true, role: 'patient' });
    const { _id, doctorname: doctor, date, time } = await clinic.book();
    const [shown, untouched] = [{ doctor, date, time }, await stored()];
    for (const other of [{ doctor: 'Dr. Gregory House' }, { date: addDays(soon, 9) }, { time: '10:00' }])
      assert.equal(await press(_id, act, { ...shown, ...other }), '409 transition_refused');
    assert.ok((await stored()) === untouched);
    // Nobody arrives days before.
    const answered = act === 'arrive' ? '409 transition_refused' : '200';
    assert.equal(await press(_id, act, shown), answered);
    await clinic.empty(...kept);
    const { _id: again } = await clinic.book();
    // As messages of earlier releases say it.
    assert.equal(await press(again, act, { date, time }), answered);
  });

test('a booking is only for whom staff saw at the address: who has it, or hasn’t confirmed it yet', async () => {
  const book = (time: string, who: Who = 'admin', userId = annsId) =>
    verdict(clinic.requestBooking(who, { time, userId }));
  assert.equal(await book('09:00', 'admin', annsId.toUpperCase()), '201');
  assert.equal(await book('09:30', ann), '201');
  assert.equal(await book('10:00', ann, 'f'.repeat(24)), '412 changed_meanwhile');
  await clinic.empty('appointments', 'contacts');
  assert.equal(await book('09:00'), '201');
  const entry = { seq: 1, version: 1, active: true, role: 'patient' };
  for (const left of [
    { former: [], email: 'new@mail.example' },
    { former: [ann.email] },
    { former: [], erasing: true },
  ]) {
    await knownAccounts.replaceOne({ _id: annsId }, { ...entry, ...left }, { upsert: true });
    assert.equal(await book('10:00'), '412 changed_meanwhile');
  }
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('whoever cancels again after a lost answer has cancelled once; nobody else has', async () => {
  const { _id, ...visit } = await clinic.book();
  const cancel = (who: Who, seen?: object): Promise<string> =>
    verdict(clinic.as(who)(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Cancelled', seen } }));
  const seen = { ...seenOf({ _id, ...visit }), status: 'Pending' };
  assert.equal(await cancel('admin', seen), '200');
  assert.equal(await cancel('admin', seen), '200');
  for (const [who, as] of [
    ['admin', { ...seen, status: 'Confirmed' }],
    ['admin', undefined],
    [ann, seen],
  ] as const)
    assert.equal(await cancel(who, as), '409 transition_refused');
  assert.equal((await clinic.eventsOf(_id)).length, 2);
});
