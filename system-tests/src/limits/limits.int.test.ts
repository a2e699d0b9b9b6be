import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { passMidnight } from '@clinic/service-kit/testing/hold-clock';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { ProblemCode } from '@clinic/contracts';
import type { WaitlistEntry } from '@clinic/svc-clinic/contract/waitlist-calls';
import { callOf, openRequestMaker, send, type RequestMaker } from '../access/requests.ts';
import { bookingOf, register, type Newcomer } from '../privacy/newcomer.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import type { TestedService } from '../support/every-call.ts';
import { orderableMedicine } from '../support/orderable.ts';

// Everything that a patient may change, repeated until it is refused: rows, events and mails stay below a ceiling.

/** Entries of the history that one account may make in a service, and everything else in a day. */
const most = 12;
const limits = [
  ['changes', most],
  ['calendar-addresses', 3],
  ['counter-orders', 3],
  ['exports', 3],
  ['orders', 4],
  ['preferences', 4],
  ['profile-changes', 5],
  ['stock-adjustments', 3],
  ['stock-requests', 5],
  ['waitlist', 5],
] as const;
/** Requests after which a loop must have been refused. */
const ceiling = most + 2;

const refusals: readonly ProblemCode[] = [
  'rate_limited',
  'too_many_orders',
  'too_many_appointments',
  'too_many_waiting',
  'duplicate',
];

let services: ThreeServices;
let maker: RequestMaker;
let doctor: Doctor;
let medicine: Medicine;
before(async () => {
  services = await startThreeServices({
    messages: 'sending',
    env: { DAILY_LIMITS: limits.map(([act, number]) => `${act}=${number}`).join(), CLINIC_MAX_CHANGES_PER_DAY: '5' },
  });
  maker = await openRequestMaker(services);
  const anyone = services.from('');
  const doctors = await readJson<Doctor[]>(anyone('clinic')('/doctors'));
  doctor = doctors.find(({ email }) => email === people.doctor.email) ?? assert.fail();
  medicine = await orderableMedicine(anyone('pharmacy'));
});
after(() => services.close());

const tested: readonly TestedService[] = ['identity', 'clinic', 'pharmacy', 'messages'];
/** Collections that only say how often something was tried, and end by themselves. */
const passing = new Set(['counts', 'persons', 'locks', 'idempotency', 'freedTimes', 'looks', 'contacts']);
/** Messages on their way; each has an entry of the history beside it. */
const onTheWay = new Set(['outbox', 'messages', 'mailbox', 'webhookDeliveries']);

async function newDay(): Promise<void> {
  await passMidnight();
  for (const service of tested) {
    await services.databases[service].collection('persons').updateMany({}, { $unset: { today: 1 } });
    await services.databases[service].collection('counts').deleteMany({});
  }
}

async function rows(): Promise<number> {
  let count = 0;
  for (const service of tested)
    for (const { name } of await services.databases[service].listCollections().toArray())
      if (!passing.has(name) && !onTheWay.has(name))
        count += await services.databases[service].collection(name).countDocuments({});
  return count;
}

const eventsOf = async (account: string): Promise<number[]> =>
  Promise.all(
    tested.map((service) =>
      services.databases[service]
        .collection('events')
        .countDocuments({ 'actor.id': account, call: { $ne: 'startSession' } }),
    ),
  );

/** @returns the code of the refusal, or `undefined` if the answer isn't one */
async function refusalOf(answer: Response): Promise<ProblemCode | undefined> {
  if (answer.status !== 409 && answer.status !== 429) return undefined;
  const { code } = (await answer.json()) as { code: ProblemCode };
  return refusals.includes(code) ? code : undefined;
}

/** Calls that a patient may make for themselves, and that may change something. */
const changing = () =>
  Object.keys(maker.requests).filter((name) => {
    const { route } = callOf(name);
    const { access } = route;
    if (route.method === 'GET' && route.personalData !== 'copy') return false;
    if (route.personalData === 'erasure') return false;
    return (
      access.kind === 'session' ||
      (access.kind === 'restricted' &&
        (access.self !== undefined || (access.owners ?? []).some(({ role }) => role === undefined)))
    );
  });

test('every call that changes something can be repeated by a patient only so often, or changes nothing', async (t) => {
  const account = (
    await readJson<{ _id: string }>(
      services.from(await services.signIn(people.patient.email))('identity')(`/users/${people.patient.email}`),
    )
  )._id;
  for (const name of changing()) {
    const { id, route } = callOf(name);
    // They end sessions, or the account.
    if (['endSession', 'endSessions', 'startErasure', 'finishErasure'].includes(id)) continue;
    await newDay();
    // A token might not last for all of them, and without one nothing would be tried.
    const cookie = await services.signIn(people.patient.email);
    const eventsBefore = await eventsOf(account);
    let refused: string | undefined;
    let done = 0;
    while (refused === undefined && done < ceiling) {
      try {
        const request = await maker.requests[name]?.();
        assert.ok(request);
        const answer = await send(services.from(cookie)(route.service), route, request);
        assert.notEqual(answer.status, 401, name);
        refused = await refusalOf(answer);
      } catch (error) {
        // The request needs a record of their own, and they may make no more of them.
        assert.match((error as Error).message, /429|409|too_many|rate_limited/, name);
        refused = 'no more records';
      }
      if (refused === undefined) done += 1;
    }
    const events = (await eventsOf(account)).map((count, at) => count - (eventsBefore[at] ?? 0));
    t.diagnostic(`${name}: ${done} times, then ${refused ?? 'no refusal'}; ${events.join('/')} events`);
    assert.ok(Math.max(...events) <= most, `${name}: ${events.join('/')} events`);
    if (refused !== undefined) continue;
    const request = await maker.requests[name]?.();
    assert.ok(request);
    const answer = () => send(services.from(cookie)(route.service), route, request);
    // What the first request writes, the others find.
    await (await answer()).body?.cancel();
    const written = await rows();
    for (let again = 0; again < 3; again += 1) await (await answer()).body?.cancel();
    assert.equal(await rows(), written, `${name} adds rows each time`);
  }
});

/** What staff may enter so many times a day, each with the collection that keeps it. */
const ofStaff = { adjustStock: 'movements', enterCounterOrder: 'orders' } as const;

for (const [id, collection] of Object.entries(ofStaff))
  test(`a pharmacist’s day has a limit for ${id}, an admin’s is another, and nothing is left of what is refused`, async () => {
    await newDay();
    const [name] = Object.keys(maker.requests).filter((one) => callOf(one).id === id);
    assert.ok(name);
    const { route } = callOf(name);
    const kept = services.databases.pharmacy.collection(collection);
    const before = await kept.countDocuments({});
    const repeat = async (role: 'pharmacist' | 'admin'): Promise<number> => {
      const cookie = await services.signIn(people[role].email);
      for (let done = 0; done < ceiling; done += 1) {
        const request = await maker.requests[name]?.();
        assert.ok(request);
        const answer = await send(services.from(cookie)(route.service), route, request);
        if ((await refusalOf(answer.clone())) === 'rate_limited') return done;
        assert.ok(answer.ok, `${name}: ${answer.status} ${await answer.text()}`);
      }
      return ceiling;
    };
    assert.deepEqual([await repeat('pharmacist'), await repeat('admin')], [3, 3]);
    // An order moves the stock, too, but what is counted here is what was entered.
    assert.equal((await kept.countDocuments({})) - before, 6);
  });

const today = clinicMoment(new Date(), 'Asia/Dhaka').date;

/** What somebody may repeat by undoing it each time. @returns the answer to the first of the steps that is refused */
const loops: Readonly<Record<string, (who: Newcomer, turn: number) => Promise<Response | undefined>>> = {
  'books and cancels': async (who, turn) => {
    const json = bookingOf(who, doctor, { date: addDays(today, 30 + turn) });
    const booked = await who.at('clinic')('/appoinments', { method: 'POST', json });
    if (booked.status !== 201) return booked;
    const { _id } = (await booked.json()) as Appointment;
    return who.at('clinic')(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } });
  },
  'orders and cancels': async (who) => {
    const items = [{ medicineId: medicine.medicine.medicineId, quantity: 1 }];
    const order = { items, deliveryAddress: who.street, customeremail: who.email, customerPhone: who.phone };
    const placed = await who.at('pharmacy')('/orderMedi', { method: 'POST', json: order });
    if (placed.status !== 201) return placed;
    const { _id } = (await placed.json()) as Order;
    return who.at('pharmacy')(`/orderMedi/${_id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } });
  },
  'changes the profile': (who, turn) =>
    who.at('identity')(`/users/${who.email}`, { method: 'PATCH', json: { address: `${turn} Lake Road` } }),
  'renews the calendar address': (who) => who.at('clinic')('/appoinments/calendar-feed', { method: 'POST' }),
  'renews and stops the calendar address': async (who) => {
    const renewed = await who.at('clinic')('/appoinments/calendar-feed', { method: 'POST' });
    if (renewed.status !== 201) return renewed;
    return who.at('clinic')('/appoinments/calendar-feed', { method: 'DELETE' });
  },
  'changes preferences': (who, turn) =>
    who.at('messages')('/messages/preferences', {
      method: 'PATCH',
      json: { timeZone: turn % 2 ? 'Asia/Dhaka' : 'Europe/London' },
    }),
  'asks about a medicine and stops': async (who) => {
    const gone = await services.databases.pharmacy.collection('medicines').findOne({ quantity: 0 });
    const path = `/medicine/${String(gone?._id)}/back-in-stock`;
    const asked = await who.at('pharmacy')(path, { method: 'POST' });
    if (asked.status !== 201) return asked;
    return who.at('pharmacy')(path, { method: 'DELETE' });
  },
};

test('an account without a confirmed address ends each loop soon, and gets no mail but the confirmation', async (t) => {
  const who = await register(services);
  for (const [name, step] of Object.entries(loops)) {
    await newDay();
    let refused: ProblemCode | undefined;
    let turn = 0;
    for (; refused === undefined && turn < ceiling; turn += 1) {
      const answer = await step(who, turn);
      if (!answer) break;
      refused = await refusalOf(answer.clone());
      if (refused === undefined) assert.ok(answer.status < 300, `${name}: ${answer.status} ${await answer.text()}`);
    }
    t.diagnostic(`${name}: ${turn} times, then ${refused}`);
    assert.ok(refused !== undefined, `${name} was never refused`);
  }
  const join = await who.at('clinic')('/waitlist', {
    method: 'POST',
    json: {
      ...bookingOf(who, doctor, { date: today }),
      time: undefined,
      date: undefined,
      from: addDays(today, 1),
      until: addDays(today, 1),
      parts: ['morning'],
    },
  });
  assert.equal(((await join.json()) as { code: string }).code, 'email_unconfirmed');
  assert.equal(
    await services.databases.clinic.collection<WaitlistEntry>('waitlist').countDocuments({ patientemail: who.email }),
    0,
  );

  // All of it has been settled, and none was sent.
  const { databases } = services;
  await waitUntil(async () => {
    for (const service of ['identity', 'clinic', 'pharmacy'] as const)
      assert.equal(await databases[service].collection('outbox').countDocuments({ 'to.email': who.email }), 0);
    const due = { 'to.email': who.email, status: 'pending', kind: { $ne: 'appointment-reminder' } };
    assert.equal(await databases.messages.collection('messages').countDocuments(due), 0);
  });
  const ledger = await databases.messages.collection('messages').find({ 'to.email': who.email }).toArray();
  assert.ok(ledger.length > 10, `only ${ledger.length} messages were asked for`);
  const sent = ledger.filter(({ status }) => status === 'sent').map(({ kind }) => kind as string);
  assert.deepEqual(
    [...new Set(sent)].filter((kind) => kind !== 'confirm-address'),
    [],
  );
  assert.deepEqual(
    [...new Set(ledger.filter(({ status }) => status === 'suppressed').map(({ reason }) => reason as string))].filter(
      (reason) => reason !== 'out-of-date',
    ),
    ['unconfirmed'],
  );
  assert.equal(
    await databases.messages.collection('mailbox').countDocuments({ to: who.email, subject: { $not: /confirm/i } }),
    0,
  );
});

test('every limit of a day is in docs/privacy.md', () => {
  const root = join(import.meta.dirname, '../../..');
  const docs = readFileSync(join(root, 'docs/privacy.md'), 'utf8');
  const sources = globSync(['svc-*/src/**/*.ts', 'packages/service-kit/src/**/*.ts'], { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file),
  );
  const acts = sources.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\bact: '([a-z-]+)',\s*most\b|limitOf\(context, '([a-z-]+)'/g),
    ].map(([, act, mails]) => act ?? mails ?? ''),
  );
  assert.ok(acts.length >= 14, acts.join());
  assert.deepEqual(
    acts.filter((act) => act !== 'bookings' && !docs.includes(`\`${act}\``)),
    [],
  );
});
