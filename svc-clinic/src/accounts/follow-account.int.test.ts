import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { WaitlistEntry } from '../contract/waitlist-calls.ts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import { ann } from '../testing/people.ts';
import { read, sharedClinic } from '../testing/test-clinic.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const clinic = await sharedClinic();
const { waitlist, waitlistOffers, calendarFeeds } = collectionsOf(clinic.db);
beforeEach(async () => {
  await clinic.empty('waitlist', 'waitlistOffers', 'freedTimes', 'appointments', 'doctors', 'events');
  await clinic.addDoctor({ availableTimes: ['09:00'] });
});

let people = 0;
/** A patient with an address that the feed knows. */
function somebody() {
  people += 1;
  const email = `somebody${people}@mail.example`;
  const id = new ObjectId().toHexString();
  clinic.issuer.changeAccount(id, { email });
  return { role: 'patient' as const, email, id };
}
type Somebody = ReturnType<typeof somebody>;

async function join(who: Somebody): Promise<WaitlistEntry> {
  return readJson<WaitlistEntry>(
    clinic.as(who)('/waitlist', { method: 'POST', json: clinic.waitlistRequest(who) }),
    201,
  );
}
const openOffers = (patientId: string) => waitlistOffers.countDocuments({ patientId, status: 'open' });

test('nothing is held for somebody who is switched off: the time goes to the next person', async () => {
  const [first, next] = [somebody(), somebody()];
  const taken = await clinic.book();
  const entry = await join(first);
  await join(next);
  await clinic.setStatus(ann, taken._id, 'Cancelled');
  await waitUntil(async () => assert.equal(await openOffers(first.id), 1));
  clinic.issuer.changeAccount(first.id, { active: false });
  await waitUntil(async () => {
    assert.equal((await waitlist.findOne({ _id: new ObjectId(entry._id) }))?.status, 'ended');
    assert.equal(await openOffers(first.id), 0);
    assert.equal(await openOffers(next.id), 1);
  });
});

for (const [what, change] of [
  ['its owner’s address', { email: 'moved@mail.example', version: 2 }],
  ['its owner’s sessions', { sessionsEndedAt: new Date(Date.now() + 60_000).toISOString() }],
  ['its owner’s access', { active: false }],
] as const)
  test(`a calendar subscription ends with ${what}, without being read`, async () => {
    const who = somebody();
    const at = clinic.as(who);
    const kept = somebody();
    for (const fetch of [at, clinic.as(kept)])
      assert.equal((await fetch('/appoinments/calendar-feed', { method: 'POST', json: {} })).status, 201);
    clinic.issuer.changeAccount(who.id, change);
    clinic.issuer.changeAccount(kept.id, { version: 2 });
    await waitUntil(async () => assert.equal(await calendarFeeds.findOne({ _id: who.id }), null));
    assert.ok(await calendarFeeds.findOne({ _id: kept.id }));
  });

test('reception can’t book for an address while nobody can say whose it is', async () => {
  const { email } = somebody();
  clinic.issuer.breakFeed();
  try {
    const answer = await clinic.requestBooking('admin', { patientemail: email, time: '09:00' });
    assert.equal(answer.status, 503);
    assert.equal(await clinic.appointments.countDocuments({}), 0);
  } finally {
    clinic.issuer.restoreFeed();
  }
});

test('appointments and places on the waitlist follow their owner’s address', async () => {
  const who = somebody();
  const answer = await clinic.requestBooking('admin', { patientemail: who.email, time: '09:00' });
  assert.equal(answer.status, 201);
  await join(who);
  const email = `new.${who.email}`;
  clinic.issuer.changeAccount(who.id, { email, former: [who.email], version: 2 });
  await waitUntil(async () => {
    assert.equal((await clinic.appointments.findOne({ patientId: who.id }))?.patientEmail, email);
    assert.equal((await waitlist.findOne({ patientId: who.id }))?.patientEmail, email);
  });
  const [shown] = await read<{ readonly patientemail: string }[]>(clinic.as('admin'), `/appoinments?email=${email}`);
  assert.equal(shown?.patientemail, email);
});
