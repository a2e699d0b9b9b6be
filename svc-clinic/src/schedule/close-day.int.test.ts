import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { collectionsOf } from '../collections.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { WaitlistOffer } from '../contract/waitlist-calls.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { clinic, freeOn, openClinicOfDrGrey, outsideNow, path, read } from '../testing/test-schedule.ts';
import { verdict, type Who } from '../testing/test-clinic.ts';

openClinicOfDrGrey();
const reception = { role: 'patient', email: 'desk@clinic.example', rights: ['reception'] } as const;

const sendClosing = (who: Who, json: object) => clinic.as(who)(`${path}/day`, { method: 'PATCH', json });
const close = (who: Who, json: object) => readJson<{ readonly changed: boolean }>(sendClosing(who, json), 200);

test('a closed day takes no booking, move or hand-over, keeps its visits, and opens again, each once', async () => {
  const date = clinic.soon;
  const next = addDays(date, 1);
  const visit = await clinic.book({ patientemail: ann.email, date, time: '09:00' });
  const other = await clinic.book({ patientemail: ann.email, date: next, time: '09:30' });
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  const theirs = await clinic.book({ patientemail: ann.email, doctoremail: drHouse.email, date, time: '10:00' });
  assert.deepEqual(await close(reception, { date, closed: true }), { changed: true });
  assert.deepEqual(await close(drGrey, { date, closed: true }), { changed: false });
  assert.deepEqual(await freeOn(date), []);
  const move = (id: string, json: object) => clinic.as('admin')(`/appoinments/${id}`, { method: 'PATCH', json });
  assert.equal(await verdict(clinic.requestBooking(ann, { date, time: '09:30' })), '400 validation_failed');
  assert.equal(await verdict(move(other._id, { date, time: '09:30' })), '400 validation_failed');
  assert.equal(
    await verdict(
      clinic.as('admin')(`/appoinments/${theirs._id}/doctor`, {
        method: 'PATCH',
        json: { doctoremail: drGrey.email, date, time: '10:00', patientChoice: 'not asked' },
      }),
    ),
    '400 validation_failed',
  );
  assert.deepEqual(await outsideNow(), [visit.time]);
  // The visits leave, and nobody gets their times.
  assert.equal((await move(visit._id, { date: next, time: '09:00' })).status, 200);
  assert.deepEqual(await freeOn(date), []);
  assert.deepEqual(await close('admin', { date, closed: false }), { changed: true });
  assert.deepEqual(await close(reception, { date, closed: false }), { changed: false });
  assert.deepEqual(await freeOn(date), ['09:00', '09:30', '10:00']);
  const events = await clinic.db
    .collection('events')
    .find({ action: 'availability changed' })
    .sort({ at: 1 })
    .toArray();
  assert.deepEqual(
    events.map(({ call, before, after }) => [call, before, after]),
    [
      ['closeDay', { daysOff: [] }, { daysOff: [date] }],
      ['closeDay', { daysOff: [date] }, { daysOff: [] }],
    ],
  );
});

test('a day closed until a time is booked after it, and its other exceptions stay', async () => {
  const date = clinic.soon;
  assert.deepEqual(await close(drGrey, { date, closed: true, until: '09:15' }), { changed: true });
  assert.deepEqual(await freeOn(date), ['09:30', '10:00']);
  await close(drGrey, { date, closed: true, until: '09:45' });
  assert.deepEqual(await close(drGrey, { date, closed: false, until: '09:45' }), { changed: true });
  assert.deepEqual(await freeOn(date), ['09:30', '10:00']);
  assert.equal((await read()).exceptions.length, 1);
});

test('only the desk and the doctor close a day, and none that is over', async () => {
  const json = { date: clinic.soon, closed: true };
  assert.equal(await verdict(sendClosing(ann, json)), '403 forbidden');
  assert.equal(await verdict(sendClosing(drHouse, json)), '403 forbidden');
  assert.equal(await verdict(clinic.anonymous(`${path}/day`, { method: 'PATCH', json })), '401 unauthenticated');
  assert.equal(
    await verdict(sendClosing('admin', { ...json, date: addDays(clinic.today, -1) })),
    '400 validation_failed',
  );
  assert.deepEqual((await read()).daysOff, []);
});

for (const until of [undefined, '09:15'])
  test(`an offer on a day that is closed${until ? ' until later' : ''} is withdrawn when accepted, and none is made there`, async () => {
    await clinic.empty('waitlist', 'waitlistOffers', 'freedTimes');
    const date = clinic.soon;
    const booked = [];
    for (const [index, time] of ['09:00', '09:30', '10:00'].entries())
      booked.push(await clinic.book({ patientemail: `p${index}@mail.example`, date, time }));
    const join = (who: typeof ben) =>
      clinic.as(who)('/waitlist', { method: 'POST', json: clinic.waitlistRequest(who) });
    const offersTo = async (who: typeof ben) =>
      readJson<WaitlistOffer[]>(clinic.as(who)(`/waitlist/offers?email=${who.email}`), 200);
    const openOffer = () =>
      waitUntil(async () => {
        const found = (await offersTo(ben)).find(({ status }) => status === 'open');
        assert.ok(found);
        return found;
      });
    assert.equal((await join(ben)).status, 201);
    await clinic.setStatus(drGrey, booked[0]?._id ?? '', 'Cancelled');
    const { _id } = await openOffer();
    await close(reception, { date, closed: true, until });
    const accept = clinic.as(ben)(`/waitlist/offers/${_id}/accept`, { method: 'POST', json: {} });
    assert.equal(await verdict(accept), '400 validation_failed');
    const { freedTimes } = collectionsOf(clinic.db);
    // Whatever has become free was looked at.
    await waitUntil(async () => assert.equal(await freedTimes.countDocuments({}), 0));
    assert.deepEqual(
      (await offersTo(ben)).map(({ status }) => status),
      ['withdrawn'],
    );
    await close(reception, { date, closed: false, until });
    assert.equal((await openOffer()).time, '09:00');
  });

test('patients who book while a day is closed are refused, or their visits are found among those to settle', async () => {
  const date = clinic.soon;
  const book = (index: number, time: string) =>
    untilServed(() => {
      const patientemail = `p${index}@mail.example`;
      return clinic.requestBooking({ role: 'patient', email: patientemail }, { patientemail, date, time });
    });
  const racing = ['09:00', '09:30'].flatMap((time, at) => [0, 1, 2].map((index) => book(at * 3 + index, time)));
  const closing = untilServed(() => sendClosing(reception, { date, closed: true }));
  const answers = await Promise.all(racing);
  assert.equal((await closing).status, 200);
  const late = await book(9, '10:00');
  assert.equal(await verdict(Promise.resolve(late)), '400 validation_failed');
  const booked: string[] = [];
  for (const answer of answers) {
    assert.ok([201, 400, 409].includes(answer.status), String(answer.status));
    if (answer.status === 201) booked.push(((await answer.json()) as Appointment).time);
  }
  assert.deepEqual((await outsideNow()).toSorted(), booked.toSorted());
});
