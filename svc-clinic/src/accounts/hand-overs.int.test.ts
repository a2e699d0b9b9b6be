import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { assertHandedOver, handOverParts } from '@clinic/service-kit/testing/hand-overs';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import type { Appointment } from '../contract/schemas.ts';
import { sharedClinic, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_MAX_CHANGES_PER_DAY: '1000000' });
await clinic.addDoctor();

const lives = fc.array(fc.constantFrom(...handOverParts), { minLength: 2, maxLength: 7 }).map((parts) => parts.flat());

let days = 0;
const bookByReception = async (patientemail: string): Promise<string> => {
  days += 1;
  const visit = { patientemail, date: addDays(clinic.soon, days % 60), time: '09:00' };
  const answer = await clinic.requestBooking('admin', visit);
  if (answer.status !== 201) throw new Error(`booking answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as Appointment)._id;
};
const patientOf = async (id: string): Promise<string | undefined> =>
  (await clinic.appointments.findOne({ _id: new ObjectId(id) }))?.patientId;

test('a visit that reception books for an address goes to whoever has it then, or next, whatever the service missed', async () => {
  await fc.assert(
    fc.asyncProperty(lives, (life) => assertHandedOver(clinic, life, bookByReception, patientOf)),
    { numRuns: 10 },
  );
});

test('svc-messages is told whose a visit is now, also by a service that has heard of no change', async () => {
  const email = 'moved.on@mail.example';
  const id = await bookByReception(email);
  // Until it has read all of the feed, it goes by tokens.
  const markers = clinic.db.collection<{ _id: string }>('markers');
  await waitUntil(async () => (await markers.countDocuments({ completeSince: { $exists: true } })) === 1);
  const account = new ObjectId().toHexString();
  const until = new Date(Date.now() + 60_000).toISOString();
  const elsewhere = 'moved.on.to@mail.example';
  clinic.issuer.breakFeed();
  clinic.issuer.changeAccount(account, {
    email: elsewhere,
    former: [email],
    held: [{ email, until }, { email: elsewhere }],
  });
  clinic.issuer.restoreFeed();
  const answer = await clinic.anonymous('/internal/visits', {
    method: 'POST',
    json: { ids: [id] },
    headers: internalHeaders(internalSecret(clinic.context.settings)),
  });
  const [visit] = (await answer.json()) as { readonly patient?: string }[];
  assert.equal(visit?.patient, account);
});

test('a booking for whom reception saw is theirs or isn’t made, while their address goes to somebody else', async () => {
  const [email, elsewhere] = ['passed.on@mail.example', 'passed.on.to@mail.example'];
  const [seen, next] = [new ObjectId().toHexString(), new ObjectId().toHexString()];
  const book = (index: number): Promise<Response> =>
    clinic.requestBooking('admin', {
      patientemail: email,
      userId: seen,
      date: addDays(clinic.soon, index),
      time: '09:30',
    });
  clinic.issuer.changeAccount(seen, { email, held: [{ email }] });
  const before = await book(0);
  const until = new Date().toISOString();
  const racing = Array.from({ length: 8 }, (_, index) => book(index + 1));
  clinic.issuer.changeAccount(seen, {
    email: elsewhere,
    former: [email],
    held: [{ email, until }, { email: elsewhere }],
  });
  clinic.issuer.changeAccount(next, { email, held: [{ email, since: until }] });
  const answers = [before, ...(await Promise.all(racing)), await book(9)];
  assert.deepEqual([answers[0]?.status, answers.at(-1)?.status], [201, 412]);
  for (const answer of answers)
    if (answer.status === 201) assert.equal(await patientOf(((await answer.json()) as Appointment)._id), seen);
    else assert.equal(await verdict(answer), '412 changed_meanwhile');
});
