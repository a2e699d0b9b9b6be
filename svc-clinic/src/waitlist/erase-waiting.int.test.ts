import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Appointment } from '../contract/schemas.ts';
import { collectionsOf } from '../collections.ts';
import { erasePerson } from '../personal-data/erase-person.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
const { appointments, appointmentTallies, freedTimes, waitlist, waitlistOffers } = collectionsOf(clinic.db);
const names = ['waitlist', 'waitlistOffers', 'freedTimes', 'appointments', 'appointmentTallies', 'doctors', 'persons'];
beforeEach(async () => {
  await clinic.empty(...names, 'events', 'erasures');
  await clinic.addDoctor({ availableTimes: ['09:00'] });
  // Has no time in the mornings that people wait for.
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', availableTimes: ['18:00'] });
});

const cleo = { role: 'patient', email: 'cleo@mail.example' } as const;
const days = [0, 1, 2, 3].map((count) => addDays(clinic.soon, count));

/** Fills four mornings, and lets two people wait for any doctor of the specialty. */
async function fullMornings(): Promise<Appointment[]> {
  const booked: Appointment[] = [];
  for (const date of days) booked.push(await clinic.book({ date }));
  for (const who of [ben, cleo]) {
    const until = days.at(-1) ?? '';
    const json = clinic.waitlistRequest(who, { doctoremail: undefined, specialty: 'Cardiologist', until });
    await readJson(clinic.as(who)('/waitlist', { method: 'POST', json }), 201);
  }
  return booked;
}

const eraseGrey = () => {
  const { email } = drGrey;
  const addresses = [{ email, since: new Date(0), confirmed: true, others: [] }];
  const person = { id: clinic.issuer.idOf(email), email, addresses };
  return erasePerson(clinic.context, { person, requestId: 'test' }, Infinity);
};

/** Nothing of the doctor is left where somebody could still be offered it. */
async function assertGone(): Promise<void> {
  await waitUntil(async () => assert.equal(await freedTimes.countDocuments({}), 0));
  assert.equal(await waitlistOffers.countDocuments({ status: 'open' }), 0);
  for (const collection of [appointments, appointmentTallies, waitlistOffers, waitlist])
    assert.equal(await collection.countDocuments({ doctorEmail: drGrey.email }), 0, collection.collectionName);
  assert.deepEqual(await waitlist.distinct('status'), ['waiting']);
}

test('deleting a doctor withdraws the offers of their times to people who wait for any doctor', async () => {
  const [first] = await fullMornings();
  await clinic.setStatus(ann, first?._id ?? '', 'Cancelled');
  const offer = await waitUntil(async () => (await waitlistOffers.findOne({ status: 'open' })) ?? assert.fail());
  assert.ok((await eraseGrey()).done);
  await assertGone();
  // Nobody else was offered it.
  assert.deepEqual(
    (await waitlistOffers.find({}).toArray()).map(({ _id, status }) => [_id, status]),
    [[offer._id, 'withdrawn']],
  );
  const path = `/waitlist/offers/${offer._id.toHexString()}/accept`;
  assert.equal(await verdict(clinic.as(ben)(path, { method: 'POST', json: {} })), '409 offer_over');
});

test('of cancellations, acceptances and a deletion at once nothing is left open', async () => {
  for (let round = 0; round < 4; round += 1) {
    await clinic.empty(...names, 'erasures');
    await clinic.addDoctor({ availableTimes: ['09:00'] });
    await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', availableTimes: ['18:00'] });
    const [first, ...others] = await fullMornings();
    await clinic.setStatus(ann, first?._id ?? '', 'Cancelled');
    const offer = await waitUntil(async () => (await waitlistOffers.findOne({ status: 'open' })) ?? assert.fail());
    const [accepted] = await Promise.all([
      verdict(clinic.as(ben)(`/waitlist/offers/${offer._id.toHexString()}/accept`, { method: 'POST', json: {} })),
      ...others.map(({ _id }) => clinic.setStatus(ann, _id, 'Cancelled')),
      eraseGrey(),
    ]);
    assert.match(accepted, /^200|^409|^400/);
    assert.ok((await eraseGrey()).done);
    await waitUntil(async () => assert.equal(await freedTimes.countDocuments({}), 0));
    assert.equal(await waitlistOffers.countDocuments({ status: 'open' }), 0);
    assert.equal(await appointments.countDocuments({ status: 'Held' as never }), 0);
  }
});
