import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { User } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { WaitlistEntry } from '@clinic/svc-clinic/contract/waitlist-calls';
import type { CallTable } from '@clinic/contracts/calls';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { bookingOf, prove, register, type Newcomer } from '../privacy/newcomer.ts';
import { everyCall, type TestedService } from '../support/every-call.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { openRecords } from './clinic-records.ts';
import { flipped, flipsOf, type Flip, type Strangers } from './flips.ts';
import type { Request } from './request.ts';
import { callOf, openRequestMaker, send, type RequestMaker } from './requests.ts';
import { Watched, type Change } from './watched.ts';

// No request says anything about its own authority. Each call is sent by everybody without a say over others' records,
// with every field that its contract declares changed to what belongs to somebody else, is over, or gives more rights.
// Whatever is answered, only the sender's own records may change, and nothing of the stranger may be in the answer.

let services: ThreeServices;
let maker: RequestMaker;
let victim: Newcomer;
let strangers: Strangers;
/** Texts that only the stranger's records have. */
let marks: readonly string[];

/** Somebody who sends flipped requests. */
interface Sender {
  readonly email: string;
  readonly id: string;
  cookie: string;
  readonly idToken: string;
}
const senders: Record<string, Sender> = {};
const watched: Partial<Record<TestedService, Watched>> = {};

before(async () => {
  services = await startThreeServices({ messages: 'idle' });
  maker = await openRequestMaker(services);
  const { as, booking, user } = await openRecords(services);
  victim = await prove(services, await register(services));
  const ids = await recordsOfVictim();
  // Somebody else has the address by now that the records were made under.
  const released = victim.email;
  victim = await prove(services, victim, 'moved.away@nowhere.example');
  const heir = await prove(services, await register(services, { email: released }));
  strangers = {
    emails: [victim.email, people.otherDoctor.email, people.admin.email],
    ids: [...ids, (await user(people.admin.email))._id],
  };
  marks = [victim.lastName, victim.phone, victim.street, ...ids.slice(0, 1)];
  for (const [who, { email }] of Object.entries({
    patient: people.patient,
    doctor: people.doctor,
    pharmacist: people.pharmacist,
  }))
    senders[who] = {
      email,
      id: (await user(email))._id,
      cookie: await services.signIn(email),
      idToken: await services.idToken(email),
    };
  // Somebody types an address at which the office has booked for somebody else.
  const walkIn = 'walk.in@nowhere.example';
  const booked = { ...booking(), patientemail: walkIn, patientname: 'Walk In' };
  await readJson((await as(people.admin.email))('clinic')('/appoinments', { method: 'POST', json: booked }));
  const { email, cookie, idToken } = await register(services, { email: walkIn });
  // A service that sees a confirmed account for the first time gives it what is filed under its address.
  for (const sender of Object.values(senders))
    for (const [service, path] of [
      ['clinic', '/appoinments'],
      ['pharmacy', '/orderMedi'],
      ['messages', '/messages/mine'],
    ] as const)
      await readJson(
        services.from(sender.cookie)(service)(
          `${path}?limit=1${service === 'messages' ? '' : `&email=${sender.email}`}`,
        ),
      );
  senders['unconfirmed'] = { email, id: (await user(email))._id, cookie, idToken };
  senders['heir'] = { ...heir, id: (await user(released))._id };
  // From its first question on, deletions wait for a service: that makes a record.
  const holders = services.databases.identity.collection('dataHolders');
  await waitUntil(async () =>
    assert.equal(
      await holders.countDocuments({ lastSeenAt: { $exists: true } }),
      Object.keys(services.urls).length - 1,
    ),
  );
  for (const service of ['identity', 'clinic', 'pharmacy', 'messages'] as const)
    watched[service] = await Watched.open(services.databases[service]);
});
after(async () => {
  for (const each of Object.values(watched)) await each.close();
  await services.close();
});

/** An appointment with another doctor, a place on the waitlist and an order. @returns the ids, the account's first */
async function recordsOfVictim(): Promise<string[]> {
  const { freeSlot, anyone, user } = await openRecords(services);
  const doctors = await readJson<{ email: string; availableTimes: string[] }[]>(anyone('clinic')('/doctors'));
  const doctor = doctors.find(({ email }) => email === people.otherDoctor.email) ?? assert.fail();
  const { date } = freeSlot();
  const post = <Made>(service: TestedService, path: string, json: object): Promise<Made> =>
    readJson(victim.at(service)(path, { method: 'POST', json }));
  const visit = bookingOf(victim, doctor, { date });
  const appointment = await post<Appointment>('clinic', '/appoinments', visit);
  const { doctoremail: _doctor, time: _time, date: _date, ...details } = visit;
  const wish = { ...details, doctoremail: doctor.email, from: date, until: date, parts: ['evening'] };
  const place = await post<WaitlistEntry>('clinic', '/waitlist', wish);
  const { body } = (await maker.requests['placeOrder']?.()) ?? assert.fail();
  const order = await post<Order>('pharmacy', '/orderMedi', {
    ...body,
    customeremail: victim.email,
    deliveryAddress: victim.street,
    customerPhone: victim.phone,
  });
  const { _id }: User = await user(victim.email);
  return [_id, appointment._id, place._id, order._id];
}

/** Those of the changed records that aren't the sender's. */
const othersAmong = (changes: readonly Change[], { id }: Sender): Change[] =>
  changes.filter(({ key, before, now }) => !`${key} ${before || now}`.includes(id));

/** A valid request in the sender's own name, where the call takes one. */
function inOwnName({ access }: CallTable[string], request: Request, { email, id }: Sender): Request {
  if (access.kind === 'idToken') return { ...request, body: { ...request.body, email } };
  if (access.kind !== 'restricted' || !access.self) return request;
  const part = { ...request[access.self.in], [access.self.field]: email };
  return { ...request, [access.self.in]: 'userId' in part ? { ...part, userId: id } : part };
}

/** Whether the sender's role may make the call about anybody, so that others' records may change. */
const isByRole = ({ access }: CallTable[string], who: string): boolean =>
  access.kind === 'restricted' && access.roles.some((role) => role === who);

/** Whether a flip names somebody else or their record; all else goes for whoever sends it. */
const isAboutOthers = ({ checked }: Flip): boolean => checked === 'session' || checked === 'record';

/** Sends a request and checks that its answer has nothing of the stranger. */
async function sendAs(sender: Sender, call: CallTable[string], request: Request, flip: Flip): Promise<number> {
  const { route } = callOf(call.id);
  const headers: Record<string, string> =
    route.access.kind === 'idToken' ? { Authorization: `Bearer ${sender.idToken}` } : {};
  const from = (cookie: string) => send(services.from(cookie)(route.service), route, request, headers);
  let answer = await from(route.access.kind === 'idToken' ? '' : sender.cookie);
  if (answer.status === 401 && route.access.kind !== 'idToken' && route.access.kind !== 'everyone') {
    // A call before has ended the session, as it may.
    sender.cookie = await services.signIn(sender.email);
    answer = await from(sender.cookie);
    if (flip.checked !== 'proof') assert.notEqual(answer.status, 401, call.id);
  }
  const said = `${call.id} with ${flip.path}: ${JSON.stringify(flip.value)} (${flip.checked}) answers ${answer.status}`;
  assert.ok(answer.status < 500, said);
  if (route.media === 'text/event-stream') await answer.body?.cancel();
  else {
    const text = await answer.text();
    for (const mark of marks.filter((one) => one !== flip.value))
      assert.ok(!text.includes(mark), `${said}: ${text.slice(0, 300)}`);
  }
  // What is checked against the session or a record is theirs only in their own name.
  const isOthers = strangers.emails.includes(String(flip.value)) || strangers.ids.includes(String(flip.value));
  if (isOthers && isAboutOthers(flip)) assert.ok(answer.status >= 400, said);
  return answer.status;
}

/** Calls that leave nothing to try go last: a doctor who takes no appointments, then a person who is deleted. */
function lateness(name: string): number {
  const { id, route } = callOf(name);
  if (route.personalData === 'erasure') return 2;
  return id === 'changeAvailability' || id === 'changeSchedule' ? 1 : 0;
}

/** Calls after which the sender would have to sign in again. */
const endSessions = new Set(['endSession', 'endSessions', 'endOneSession', 'finishErasure', 'startErasure']);

test(
  'a flipped field changes no record but the sender’s own, and shows nothing of others',
  { timeout: 600_000 },
  async (t) => {
    let sent = 0;
    const inOrder = Object.entries(maker.requests).toSorted(([one], [other]) => lateness(one) - lateness(other));
    for (const [name, make] of inOrder) {
      const { id, route } = callOf(name);
      const call = (everyCall as unknown as CallTable)[id] ?? assert.fail(id);
      const flips = flipsOf(call, strangers);
      // Whoever has the secret address of a public call may read what is there.
      const reads = route.method === 'GET' && call.access.kind !== 'everyone';
      if ((flips.length === 0 && !reads) || endSessions.has(id)) continue;
      // The database keeps changes only for so long.
      for (const each of Object.values(watched)) await each.changes();
      for (const [who, sender] of Object.entries(senders)) {
        if (isByRole(call, who)) continue;
        await t.test(`${name} by ${who}`, async () => {
          const records = watched[route.service] ?? assert.fail(route.service);
          const settle = async (said: string): Promise<void> =>
            assert.deepEqual(othersAmong(await records.changes(), sender), [], said);
          /** What it takes to make a request isn't what the request changes. */
          const fresh = async (): Promise<Request> => {
            const request = inOwnName(call, await make(), sender);
            await records.changes();
            return request;
          };
          let request = await fresh();
          if (reads) await sendAs(sender, call, request, { path: 'their own name', checked: 'content', value: '' });
          for (const flip of who === 'heir' ? flips.filter(isAboutOthers) : flips) {
            const status = await sendAs(sender, call, flipped(request, flip), flip);
            sent += 1;
            if (status >= 400 || route.method === 'GET') continue;
            await settle(`${flip.path}: ${JSON.stringify(flip.value)}`);
            request = await fresh();
          }
          await settle('of the rest');
        });
      }
    }
    t.diagnostic(`${sent} flipped requests`);
  },
);
