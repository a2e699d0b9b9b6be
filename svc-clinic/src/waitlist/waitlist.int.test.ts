import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type CallBody } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { WaitlistEntry, WaitlistOffer } from '../contract/waitlist-calls.ts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { collectionsOf } from '../collections.ts';
import { holdsOf } from './slot-hold.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const cleo = { role: 'patient', email: 'cleo@mail.example' } as const;
const dan = { role: 'patient', email: 'dan@mail.example' } as const;
type Patient = { readonly role: 'patient'; readonly email: string };

const clinic = await sharedClinic();
let doctorId: string;
beforeEach(async () => {
  await clinic.empty('waitlist', 'waitlistOffers', 'freedTimes', 'appointments', 'doctors', 'events');
  const doctor = await clinic.addDoctor({ availableTimes: ['09:00', '09:30'] });
  doctorId = doctor._id.toHexString();
});

const ask = (who: Who, json: object) => clinic.as(who)('/waitlist', { method: 'POST', json });
const askForEarlier = (who: Patient, { _id: appointment }: Appointment) =>
  ask(who, {
    patientemail: who.email,
    appointment,
    from: clinic.soon,
    until: clinic.soon,
    parts: ['morning'],
  });
async function join(who: Patient, fields: Partial<CallBody<'joinWaitlist'>> = {}): Promise<WaitlistEntry> {
  return readJson<WaitlistEntry>(ask(who, clinic.waitlistRequest(who, fields)), 201);
}
const offersOf = async (who: Patient): Promise<WaitlistOffer[]> =>
  await read<WaitlistOffer[]>(clinic.as(who), `/waitlist/offers?email=${who.email}`);
const offerTo = (who: Patient): Promise<WaitlistOffer> =>
  waitUntil(async () => {
    const [open] = (await offersOf(who)).filter(({ status }) => status === 'open');
    assert.ok(open);
    return open;
  });
const entriesOf = async (who: Patient): Promise<WaitlistEntry[]> =>
  await read<WaitlistEntry[]>(clinic.as(who), `/waitlist?email=${who.email}`);
const decide = (who: Patient, { _id }: WaitlistOffer, what: 'accept' | 'decline') =>
  clinic.as(who)(`/waitlist/offers/${_id}/${what}`, { method: 'POST', json: {} });
const statuses = async (found: Promise<readonly (WaitlistOffer | WaitlistEntry)[]>): Promise<string[]> =>
  (await found).map(({ status }) => status);
const freeTimes = async (): Promise<string[]> =>
  (await readJson<{ times: string[] }>(clinic.anonymous(`/doctors/${doctorId}/free-times?date=${clinic.soon}`))).times;
const actions = async (): Promise<string[]> =>
  (await clinic.findEvents({ 'record.type': 'waitlist' })).map(({ action }) => action as string);
const settled = () =>
  waitUntil(async () => assert.equal(await collectionsOf(clinic.db).freedTimes.countDocuments({}), 0));

/** Fills the doctor's day, with another patient each. */
async function fullDay(): Promise<[Appointment, Appointment]> {
  return [await clinic.book({ time: '09:00' }), await clinic.book({ time: '09:30', patientemail: dan.email })];
}

test('a time that another replica freed before it died is offered at once', async () => {
  const [first] = await fullDay();
  await join(ben);
  await settled();
  const { appointments, freedTimes } = collectionsOf(clinic.db);
  await appointments.deleteOne({ _id: new ObjectId(first._id) });
  await freedTimes.insertOne({ _id: new ObjectId(), at: new Date(), doctorEmail: drGrey.email });
  assert.equal((await offerTo(ben)).time, '09:00');
});

test('a time is offered to whoever can take it, however many joined before who can’t', async () => {
  const [first] = await fullDay();
  await join(ben);
  await settled();
  const { waitlist } = collectionsOf(clinic.db);
  const own = await waitlist.findOne({ patientEmail: ben.email });
  assert.ok(own);
  const joinedAt = new Date(own.joinedAt.getTime() - 1_000);
  await waitlist.insertMany(
    Array.from({ length: 1_001 }, (_, at) => ({
      ...own,
      _id: new ObjectId(),
      patientId: at.toString(16).padStart(24, '0'),
      joinedAt,
    })),
  );
  assert.equal(await verdict(clinic.setStatus(ann, first._id, 'Cancelled')), '200');
  assert.equal((await offerTo(ben)).time, '09:00');
});

test('a cancelled time is offered to the person who joined first, held for them, and accepted', async () => {
  const [first] = await fullDay();
  await join(ben);
  await join(cleo);
  assert.equal((await clinic.setStatus(ann, first._id, 'Cancelled')).status, 200);
  const offer = await offerTo(ben);
  assert.deepEqual(
    [offer.date, offer.time, offer.doctorname, offer.status],
    [clinic.soon, '09:00', 'Dr. Meredith Grey', 'open'],
  );
  assert.ok(offer.left > 29 * 60_000 && offer.left <= 30 * 60_000);
  assert.deepEqual(await offersOf(cleo), []);
  // Held: it isn't free, and nobody can book it, move there, or see a row for it.
  assert.deepEqual(await freeTimes(), []);
  assert.equal(await verdict(clinic.requestBooking(cleo, { patientemail: cleo.email })), '409 slot_taken');
  const admin = clinic.as('admin');
  assert.equal(await verdict(clinic.requestBooking('admin', { patientemail: cleo.email })), '409 slot_taken');
  const all = await read<Appointment[]>(admin, '/appoinments');
  assert.deepEqual(all.map(({ status }) => status).toSorted(), ['Cancelled', 'Pending']);
  assert.equal((await read<Appointment[]>(admin, '/appoinments?limit=10')).length, 2);

  assert.equal(await verdict(decide(cleo, offer, 'accept')), '403 forbidden');
  assert.equal((await decide(ben, offer, 'accept')).status, 200);
  // A repeat of a request whose response was lost.
  assert.equal((await decide(ben, offer, 'accept')).status, 200);
  const [mine] = await read<Appointment[]>(clinic.as(ben), `/appoinments?email=${ben.email}`);
  assert.deepEqual(
    [mine?.date, mine?.time, mine?.status, mine?.patientname],
    [clinic.soon, '09:00', 'Pending', 'Pat Lee'],
  );
  assert.deepEqual(await statuses(entriesOf(ben)), ['booked']);
  await settled();
  assert.deepEqual(await actions(), ['joined waitlist', 'joined waitlist', 'time offered', 'offer accepted']);
  assert.equal(await holdsOf(collectionsOf(clinic.db)).countDocuments({ status: 'Held' }), 0);
});

test('a declined time goes to the next person at once, and is free when nobody is left', async () => {
  const [first] = await fullDay();
  await join(ben);
  await join(cleo);
  await clinic.setStatus(ann, first._id, 'Cancelled');
  const offer = await offerTo(ben);
  assert.equal((await decide(ben, offer, 'decline')).status, 200);
  assert.equal(await verdict(decide(ben, offer, 'accept')), '409 offer_over');
  const next = await offerTo(cleo);
  assert.deepEqual([next.time, await freeTimes()], ['09:00', []]);
  assert.equal((await decide(cleo, next, 'decline')).status, 200);
  assert.deepEqual(await freeTimes(), ['09:00']);
  await settled();
  // Both keep their places, and neither is offered the same time again.
  assert.deepEqual(await statuses(entriesOf(ben)), ['waiting']);
  assert.deepEqual(await statuses(offersOf(ben)), ['declined']);
  assert.deepEqual(await statuses(offersOf(cleo)), ['declined']);
});

test('a series can move into times that it leaves itself; only those that stay free are offered', async () => {
  const week = (count: number): string => addDays(clinic.soon, 7 * count);
  const { date: _date, time: _time, doctorname: _name, status: _status, ...party } = clinic.booking();
  const [first] = await readJson<Appointment[]>(
    clinic.as('admin')('/appoinments/series', {
      method: 'POST',
      json: { booking: party, dates: [0, 1, 2].map((count) => ({ date: week(count), time: '09:00' })) },
    }),
    201,
  );
  assert.ok(first);
  // The second week is full, and somebody waits for it.
  await clinic.book({ patientemail: dan.email, date: week(1), time: '09:30' });
  await join(ben, { from: week(1), until: week(1) });
  const move = (from: string, to: string) =>
    clinic.as('admin')(`/appoinments/${first._id}/series`, {
      method: 'PATCH',
      json: { seen: { date: from, time: '09:00' }, change: { act: 'move', date: to, time: '09:00' } },
    });
  const dates = async (): Promise<string[]> => {
    const rows = clinic.appointments.find({ 'series.number': { $gte: 1 } }).sort({ date: 1 });
    return (await rows.toArray()).map(({ date }) => date);
  };

  const moved = await move(week(0), week(1));
  assert.equal(moved.status, 200, await moved.clone().text());
  assert.deepEqual(await dates(), [week(1), week(2), week(3)]);
  await settled();
  assert.deepEqual(await offersOf(ben), []);

  assert.equal((await move(week(1), addDays(week(1), 1))).status, 200);
  const { date, time } = await offerTo(ben);
  assert.deepEqual([date, time], [week(1), '09:00']);
});

test('people with an appointment at that time are passed over, and those waiting for an earlier time are moved', async () => {
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', availableTimes: ['09:00'] });
  const [first] = await fullDay();
  await clinic.book({ patientemail: ben.email, doctoremail: drHouse.email });
  await join(ben);
  const day = addDays(clinic.soon, 1);
  const mine = await clinic.book({ patientemail: cleo.email, date: day });
  await readJson(askForEarlier(cleo, mine), 201);
  await clinic.setStatus(ann, first._id, 'Cancelled');
  const offer = await offerTo(cleo);
  assert.deepEqual([offer.date < day, offer.moves], [true, { date: day, time: '09:00' }]);
  assert.deepEqual(await offersOf(ben), []);
  assert.equal((await decide(cleo, offer, 'accept')).status, 200);
  const rows = await clinic.appointments.find({ patientEmail: cleo.email }).toArray();
  assert.deepEqual(
    rows.map(({ _id, date, time, status }) => [_id.toHexString(), date, time, status]),
    [[mine._id, offer.date, offer.time, 'Pending']],
  );
});

test('leaving passes an offer on, hours off withdraw it, and extra hours make a new one', async () => {
  const [first] = await fullDay();
  const entry = await join(ben);
  await join(cleo);
  await clinic.setStatus(ann, first._id, 'Cancelled');
  await offerTo(ben);
  assert.equal(await verdict(clinic.as(cleo)(`/waitlist/${entry._id}`, { method: 'DELETE' })), '403 forbidden');
  assert.equal((await clinic.as(ben)(`/waitlist/${entry._id}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await statuses(offersOf(ben)), ['withdrawn']);
  const next = await offerTo(cleo);
  // The doctor is absent then: the time is no longer available.
  await clinic.as(drGrey)(`/doctors/${doctorId}`, { method: 'PATCH', json: { daysOff: [clinic.soon] } });
  assert.equal(await verdict(decide(cleo, next, 'accept')), '400 validation_failed');
  assert.deepEqual(await statuses(offersOf(cleo)), ['withdrawn']);
  assert.equal(await holdsOf(collectionsOf(clinic.db)).countDocuments({ status: 'Held' }), 0);
  // The changed hours add a time on the day.
  await clinic.as(drGrey)(`/doctors/${doctorId}`, {
    method: 'PATCH',
    json: { daysOff: [], availableTimes: ['09:00', '09:30', '10:00'] },
  });
  // One that was withdrawn is made again.
  assert.equal((await offerTo(cleo)).time, '09:00');
});

test('a place for an earlier time ends with its appointment, and its held time goes to the next person', async () => {
  const [first] = await fullDay();
  const mine = await clinic.book({ patientemail: cleo.email, date: addDays(clinic.soon, 1), time: '09:00' });
  await askForEarlier(cleo, mine);
  await join(ben);
  await clinic.setStatus(ann, first._id, 'Cancelled');
  const offer = await offerTo(cleo);
  assert.deepEqual(offer.moves, { date: mine.date, time: mine.time });
  const mail = await clinic.db.collection('outbox').findOne({ 'data.offer.id': offer._id });
  assert.deepEqual(
    [mail?.['data'].offer.place, mail?.['data'].offer.moves],
    ['Level 3', { date: mine.date, time: mine.time }],
  );
  assert.equal((await clinic.setStatus(cleo, mine._id, 'Cancelled')).status, 200);
  assert.deepEqual(await statuses(entriesOf(cleo)), ['ended']);
  assert.deepEqual(await statuses(offersOf(cleo)), ['withdrawn']);
  assert.equal((await offerTo(ben)).time, '09:00');
});

test('a place for an earlier time ends when its appointment goes to a colleague', async () => {
  await fullDay();
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  const day = addDays(clinic.soon, 1);
  const mine = await clinic.book({ patientemail: cleo.email, date: day });
  await askForEarlier(cleo, mine);
  assert.deepEqual(await statuses(entriesOf(cleo)), ['waiting']);
  const moved = await clinic.as('admin')(`/appoinments/${mine._id}/doctor`, {
    method: 'PATCH',
    json: { doctoremail: drHouse.email, date: day, time: mine.time, patientChoice: 'agreed' },
  });
  assert.equal(moved.status, 200, await moved.clone().text());
  assert.deepEqual(await statuses(entriesOf(cleo)), ['ended']);
});

test('a move offers the former time to the waitlist', async () => {
  const [first] = await fullDay();
  await join(ben);
  assert.equal((await clinic.reschedule(ann, first._id, addDays(clinic.soon, 1), '09:00')).status, 200);
  assert.equal((await offerTo(ben)).time, '09:00');
});

test('people join and leave for themselves; staff see and change the places of their own doctors', async () => {
  await fullDay();
  assert.equal(await verdict(ask(ben, clinic.waitlistRequest(cleo))), '403 forbidden');
  assert.equal(await verdict(ask(drHouse, clinic.waitlistRequest(cleo))), '403 forbidden');
  const entry = await join(ben);
  assert.equal(await verdict(ask(ben, clinic.waitlistRequest(ben))), '409 duplicate');
  assert.equal(await verdict(clinic.as(ben)(`/waitlist?email=${ann.email}`)), '403 forbidden');
  assert.equal(await verdict(clinic.as(ben)(`/doctors/${doctorId}/waitlist`)), '403 forbidden');
  assert.equal(await verdict(clinic.as(drHouse)(`/doctors/${doctorId}/waitlist`)), '403 forbidden');
  for (const who of [drGrey, 'admin'] as const) {
    const waiting = await read<WaitlistEntry[]>(clinic.as(who), `/doctors/${doctorId}/waitlist`);
    assert.equal(waiting.map(({ _id }) => _id).join(), entry._id);
  }
  assert.equal((await ask(drGrey, clinic.waitlistRequest(dan))).status, 201);
  assert.equal((await clinic.as(drGrey)(`/waitlist/${entry._id}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await statuses(entriesOf(ben)), ['left']);
});

test('people can wait for any doctor of a specialty, and in a limited number of places', async () => {
  const [first] = await fullDay();
  await join(ben, { doctoremail: undefined, specialty: 'cardiologist' });
  await clinic.setStatus(ann, first._id, 'Cancelled');
  assert.equal((await offerTo(ben)).time, '09:00');
  for (let day = 0; day < 4; day += 1)
    await clinic.addDoctor({ email: `doctor${day}@clinic.example`, availableTimes: [], specialization: 'Other' });
  assert.equal(
    await verdict(ask(ben, clinic.waitlistRequest(ben, { doctoremail: 'doctor0@clinic.example' }))),
    '400 validation_failed',
  );
});
