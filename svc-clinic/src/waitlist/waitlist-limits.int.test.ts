import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { addDays, type CallBody, type Problem } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import type { WaitlistEntry, WaitlistOffer } from '../contract/waitlist-calls.ts';
import { passMidnight } from '@clinic/service-kit/testing/hold-clock';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { ann, ben, drGrey } from '../testing/people.ts';
import { read, verdict, type Who } from '../testing/test-clinic.ts';
import { replicatedClinic } from '../testing/service-process.ts';
import { collectionsOf } from '../collections.ts';
import { fillFreed, type Filling } from './fill-times.ts';
import { holdsOf } from './slot-hold.ts';
import { fillingOf } from './sweep.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const cleo = { role: 'patient', email: 'cleo@mail.example' } as const;
type Patient = { readonly role: 'patient'; readonly email: string };

const { clinic, startReplica } = await replicatedClinic({
  CLINIC_MAX_CHANGES_PER_DAY: '1000',
  DAILY_LIMITS: 'waitlist=8',
});
const replica = await startReplica();
const { waitlist, waitlistOffers, freedTimes } = collectionsOf(clinic.db);
let doctorId: string;
beforeEach(async () => {
  await clinic.empty('waitlist', 'waitlistOffers', 'freedTimes', 'appointments', 'doctors');
  await clinic.empty('events', 'persons', 'outbox', 'idempotency');
  doctorId = (await clinic.addDoctor({ availableTimes: ['09:00'] }))._id.toHexString();
});

const ask = (who: Who, json: object, headers = {}) => clinic.as(who)('/waitlist', { method: 'POST', json, headers });
async function join(who: Patient, fields: Partial<CallBody<'joinWaitlist'>> = {}): Promise<WaitlistEntry> {
  return readJson<WaitlistEntry>(ask(who, clinic.waitlistRequest(who, fields)), 201);
}
const offersOf = (who: Patient) => read<WaitlistOffer[]>(clinic.as(who), `/waitlist/offers?email=${who.email}`);
const offerTo = (who: Patient): Promise<WaitlistOffer> =>
  waitUntil(async () => (await offersOf(who)).find(({ status }) => status === 'open') ?? assert.fail('no offer'));
const placesOf = (who: Patient) => read<WaitlistEntry[]>(clinic.as(who), `/waitlist?email=${who.email}`);
/** Asks as svc-messages does. */
const internal = <Answer>(path: string, json = {}) =>
  readJson<Answer>(
    clinic.anonymous(`/internal/offers${path}`, {
      method: 'POST',
      json,
      headers: internalHeaders(internalSecret(clinic.context.settings)),
    }),
    200,
  );
/** Says that a patient has been told of an offer in time. */
const tell = ({ _id }: WaitlistOffer) => internal(`/${_id}/told`);
/** Ends an offer that nobody has answered. */
async function miss(who: Patient, { _id }: WaitlistOffer): Promise<void> {
  await waitlistOffers.updateOne({ _id: new ObjectId(_id) }, { $set: { until: new Date(0) } });
  await freedTimes.insertOne({ _id: new ObjectId(), at: new Date(), doctorEmail: drGrey.email });
  await waitUntil(async () => assert.equal((await offersOf(who)).find((offer) => offer._id === _id)?.status, 'missed'));
}
const settled = () => waitUntil(async () => assert.equal(await freedTimes.countDocuments({}), 0));
const problemOf = async (answer: Response): Promise<Problem> => (await answer.json()) as Problem;

test('an account without a confirmed address can’t join, and one that joined before gets no offer until it confirms', async () => {
  const unconfirmed = { ...ben, confirmed: false };
  const booked = await clinic.book({});
  const refused = await ask(unconfirmed, clinic.waitlistRequest(ben));
  assert.equal(refused.status, 403);
  const { code, detail } = await problemOf(refused);
  assert.deepEqual(
    [code, detail],
    ['email_unconfirmed', 'Confirm your email address to join the waitlist: open the link in the email we sent you.'],
  );
  assert.equal(await waitlist.countDocuments({}), 0);

  // As an earlier release stored it.
  const newcomer = { role: 'patient', email: 'newcomer@mail.example' } as const;
  const { _id } = await join(ben);
  const old = await waitlist.findOneAndDelete({ _id: new ObjectId(_id) });
  assert.ok(old);
  const patientId = clinic.issuer.idOf(newcomer.email);
  await waitlist.insertOne({ ...old, _id: new ObjectId(), patientId, patientEmail: newcomer.email, confirmed: false });
  await clinic.setStatus(ann, booked._id, 'Cancelled');
  await settled();
  assert.equal(await waitlistOffers.countDocuments({}), 0);
  assert.equal(await holdsOf({ appointments: clinic.appointments }).countDocuments({ status: 'Held' }), 0);
  // The service sees them with a confirmed address.
  await placesOf(newcomer);
  assert.equal((await offerTo(newcomer)).time, '09:00');
});

test('whoever has an open offer holds up nobody: their other places cost the sweep no transactions', async () => {
  const wren = { ...drGrey, email: 'wren@clinic.example', name: 'Dr. Wren' };
  await clinic.addDoctor({ email: wren.email, name: wren.name, availableTimes: ['09:00', '10:00', '11:00'] });
  const booked = await clinic.book({});
  const { _id } = await join(ben);
  const entry = await waitlist.findOne({ _id: new ObjectId(_id) });
  assert.ok(entry);
  await settled();
  const until = addDays(clinic.soon, 30);
  const target = `doctor ${wren.email}`;
  const places = [
    { ...entry, _id: new ObjectId(), target, about: target, until },
    { ...entry, _id: new ObjectId(), target, about: 'another visit', until },
  ];
  await waitlist.insertMany(places);
  let transactions = 0;
  const filling: Filling = {
    ...fillingOf(clinic.context),
    inTransaction: (work) => {
      transactions += 1;
      return clinic.context.inTransaction(work);
    },
  };
  const fill = () => fillFreed(filling, { _id: new ObjectId(), at: new Date(), doctorEmail: wren.email });

  assert.equal(await fill(), true);
  assert.deepEqual([await waitlistOffers.countDocuments({ status: 'open' }), transactions], [1, 1]);
  assert.equal(await fill(), true);
  assert.deepEqual([await waitlistOffers.countDocuments({ status: 'open' }), transactions], [1, 1]);
  // Cancelling offers the time at once; this patient is busy.
  await clinic.setStatus(ann, booked._id, 'Cancelled');
  assert.equal(await waitlistOffers.countDocuments({ status: 'open' }), 1);
});

test('a place ends with the third offer that is declined or missed, and the patient is told', async () => {
  const days = [0, 1, 2].map((count) => addDays(clinic.soon, count));
  const booked = await Promise.all(days.map((date) => clinic.book({ date })));
  await join(ben, { until: days[2] ?? '' });
  await join(cleo, { from: days[2] ?? '', until: days[2] ?? '' });
  for (const [at, { _id }] of booked.entries()) {
    await clinic.setStatus(ann, _id, 'Cancelled');
    const offer = await offerTo(ben);
    assert.deepEqual([offer.date, offer.last], [days[at], at === 2 ? true : undefined]);
    if (at === 1) {
      await tell(offer);
      await miss(ben, offer);
      continue;
    }
    // Two devices decline at once.
    const path = `/waitlist/offers/${offer._id}/decline`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, one) => (one % 2 ? clinic : replica).as(ben)(path, { method: 'POST', json: {} })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  }
  const [place] = await placesOf(ben);
  assert.deepEqual([place?.status, place?.afterOffers], ['ended', true]);
  const events = await clinic.findEvents({ 'record.id': place?._id, action: 'waitlist ended' });
  assert.equal(events.length, 1);
  const mails = await clinic.db.collection('outbox').find({ kind: 'waitlist-ended' }).toArray();
  assert.deepEqual(
    mails.map(({ to, data }) => [to, data]),
    [
      [
        { account: clinic.issuer.idOf(ben.email), email: ben.email, name: 'Pat Lee' },
        { place: { whom: 'Dr. Meredith Grey', offers: 3 } },
      ],
    ],
  );
  // The time goes on to the next.
  assert.equal((await offerTo(cleo)).date, days[2]);
});

test('offers that the patient couldn’t see don’t cost the place, however many they are', async () => {
  const days = Array.from({ length: 5 }, (_, count) => addDays(clinic.soon, count));
  const booked = await Promise.all(days.map((date) => clinic.book({ date })));
  await join(ben, { until: days.at(-1) ?? '' });
  for (const [at, { _id }] of booked.entries()) {
    await clinic.setStatus(ann, _id, 'Cancelled');
    const offer = await offerTo(ben);
    // Two of them count: the third that does is the last.
    const seen = at === 1 || at === 2;
    assert.deepEqual([offer.date, offer.last], [days[at], at > 2 ? true : undefined]);
    if (seen) await Promise.all([tell(offer), tell(offer)]);
    await miss(ben, offer);
    assert.deepEqual(
      (await placesOf(ben)).map(({ status }) => status),
      ['waiting'],
    );
  }
  assert.equal(await clinic.db.collection('outbox').countDocuments({ kind: 'waitlist-ended' }), 0);
  const offers = await offersOf(ben);
  const known = await internal<{ id: string; status: string }[]>('', { ids: offers.map(({ _id }) => _id) });
  assert.deepEqual(
    new Map(known.map(({ id, status }) => [id, status])),
    new Map(offers.map(({ _id }) => [_id, 'missed'])),
  );
});

test('who could book now is told which times are free, and waits for nothing', async () => {
  await clinic.addDoctor({ email: 'house@clinic.example', name: 'Dr. House', availableTimes: ['09:00', '18:00'] });
  await clinic.book({});
  const specialty = clinic.waitlistRequest(ben, { doctoremail: undefined, specialty: 'cardiologist' });
  const answer = await ask(ben, specialty, { 'Idempotency-Key': 'one' });
  assert.equal(answer.status, 409);
  const { code, detail, freeSlots = [] } = await problemOf(answer);
  assert.deepEqual(
    [code, freeSlots.map(({ doctorname, date, time }) => [doctorname, date, time])],
    ['times_free', [['Dr. House', clinic.soon, '09:00']]],
  );
  assert.match(
    detail ?? '',
    /^Dr\. House is free on .* at 9:00 AM\. Book that time, or wait for other days or times\.$/,
  );
  assert.equal(await waitlist.countDocuments({}), 0);

  // An appointment that can be moved to an earlier time now.
  const later = await clinic.book({ patientemail: cleo.email, date: addDays(clinic.soon, 2) });
  const earlier = { patientemail: cleo.email, appointment: later._id, from: clinic.soon, parts: ['morning'] };
  assert.equal(await verdict(ask(cleo, { ...earlier, until: addDays(clinic.soon, 1) })), '409 times_free');
  assert.equal(await verdict(ask(cleo, { ...earlier, until: clinic.soon })), '201');

  // Times that the patient can't take don't count: they have another appointment then.
  await clinic.book({ patientemail: ben.email, doctoremail: 'house@clinic.example' });
  assert.equal(await verdict(ask(ben, specialty)), '201');
});

test('whoever joins while a time is booked or cancelled is told of it, or offered it', async () => {
  const day = (round: number): string => addDays(clinic.soon, round);
  for (let round = 0; round < 8; round += 1) {
    await clinic.empty('persons');
    const date = day(round);
    const fields = { from: date, until: date };
    const booked = await clinic.book({ date });
    const [joined, cancelled] = await Promise.all([
      ask(ben, clinic.waitlistRequest(ben, fields)),
      replica.as(ann)(`/update-appoinment/${booked._id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } }),
    ]);
    assert.equal(cancelled.status, 200);
    if (joined.status === 201) {
      const offer = await offerTo(ben);
      assert.equal(offer.date, date);
      await clinic.as(ben)(`/waitlist/${((await joined.json()) as WaitlistEntry)._id}`, { method: 'DELETE' });
    } else assert.equal((await problemOf(joined)).code, 'times_free');
    await settled();
    // The same time is booked by one of two, and the other can wait for it.
    const [taken, waits] = await Promise.all([
      clinic.requestBooking(cleo, { date, patientemail: cleo.email }),
      replica.as(ben)('/waitlist', { method: 'POST', json: clinic.waitlistRequest(ben, fields) }),
    ]);
    assert.equal(taken.status, 201);
    if (waits.status === 409) {
      assert.equal((await problemOf(waits)).code, 'times_free');
      assert.equal(await verdict(ask(ben, clinic.waitlistRequest(ben, fields))), '201');
    } else assert.equal(waits.status, 201);
    await settled();
    assert.equal(await clinic.db.collection('appointments').countDocuments({ date, status: { $ne: 'Cancelled' } }), 1);
    for (const { _id, status } of await placesOf(ben))
      if (status === 'waiting') await clinic.as(ben)(`/waitlist/${_id}`, { method: 'DELETE' });
  }
});

test('of fifty joins and leaves on two replicas no more succeed than the day allows', async () => {
  await passMidnight();
  await clinic.book({});
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const server = at % 2 ? clinic : replica;
      const headers = { 'Idempotency-Key': randomUUID() };
      const answer = await untilServed(() =>
        server.as(ben)('/waitlist', { method: 'POST', headers, json: clinic.waitlistRequest(ben) }),
      );
      if (answer.status !== 201) return (await problemOf(answer)).code;
      const { _id } = (await answer.json()) as WaitlistEntry;
      await untilServed(() => server.as(ben)(`/waitlist/${_id}`, { method: 'DELETE' }));
      return 'joined';
    }),
  );
  const joined = answers.filter((one) => one === 'joined').length;
  assert.ok(joined >= 1 && joined <= 8, String(joined));
  for (let more = joined; more < 8; more += 1)
    await clinic.as(ben)(`/waitlist/${(await join(ben))._id}`, { method: 'DELETE' });
  assert.equal(await verdict(ask(ben, clinic.waitlistRequest(ben))), '429 rate_limited');
  assert.equal(await waitlist.countDocuments({}), 8);
  assert.equal(await clinic.findEvents({ action: 'joined waitlist' }).then(({ length }) => length), 8);
  assert.equal(
    (await read<{ times: string[] }>(clinic.anonymous, `/doctors/${doctorId}/free-times?date=${clinic.soon}`)).times
      .length,
    0,
  );
});
