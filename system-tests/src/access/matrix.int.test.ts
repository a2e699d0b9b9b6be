import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { CallId, Route } from '@clinic/contracts';
import { cookieNames } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { makeAccessToken } from '../../../svc-identity/src/sessions/access-token.ts';
import { usersOf } from '../../../svc-identity/src/users/user-record.ts';
import { register } from '../privacy/newcomer.ts';
import { everyRoute, type TestedService } from '../support/every-call.ts';
import { bystanders, people, startThreeServices, type Person, type ThreeServices } from '../support/three-services.ts';
import { withoutRights } from './attempts.ts';
import { callOf, openRequestMaker, send, type RequestMaker } from './requests.ts';
import type { Request } from './request.ts';

// Every call × everybody who may try it. The expected status is worked out here from the contract's
// data, independently of the services' code. A rejected call must have changed nothing.

/** Who makes the call. */
interface Actor {
  readonly cookie: () => Promise<string>;
  /** Whom the services must identify; `nobody` if the token is invalid. */
  readonly known: Person | undefined;
}

let services: ThreeServices;
let maker: RequestMaker;
const badTokens = new Map<string, string>();
before(async () => {
  services = await startThreeServices({ messages: 'idle' });
  maker = await openRequestMaker(services);
  const { key, databases } = services;
  const admin =
    (await usersOf({ db: databases.identity }).findOne({ email: people.admin.email })) ?? assert.fail('no admin');
  const grantOf = (user: typeof admin) => ({
    user,
    role: user.role,
    sessionId: 'matrix',
    provenAt: new Date(),
    audiences: Object.keys(services.urls),
  });
  const cookie = async (token: Promise<{ readonly token: string }>): Promise<string> =>
    `${cookieNames.access}=${(await token).token}`;
  badTokens.set('expired token', await cookie(makeAccessToken(key, grantOf(admin), -10)));
  badTokens.set(
    'forged token',
    await cookie(
      makeAccessToken({ ...key, privateKey: generateKeyPairSync('ed25519').privateKey }, grantOf(admin), 300),
    ),
  );
  badTokens.set('demoted admin', await cookieOfDemotedAdmin());
  badTokens.set('switched-off patient', await cookieOfSwitchedOff());
  await meetEverybody();
});
after(() => services.close());

/** A service that sees a confirmed account for the first time assigns it the records under its address. Do that first, so that it doesn't count as a change by the calls below. */
async function meetEverybody(): Promise<void> {
  for (const [who, { cookie, known }] of Object.entries(actors)) {
    if (!known) continue;
    const own = services.from(await cookie());
    for (const [service, path] of [
      ['clinic', `/appoinments?email=${known.email}&limit=1`],
      ['pharmacy', `/orderMedi?email=${known.email}&limit=1`],
      ['messages', '/messages/mine?limit=1'],
    ] as const)
      assert.equal((await own(service)(path)).status, 200, who);
  }
}

/** Cookies of somebody whose account was switched off a moment ago. */
async function cookieOfSwitchedOff(): Promise<string> {
  const { email, cookie, at } = await register(services);
  const admin = services.from(await services.signIn(people.admin.email))('identity');
  assert.equal((await at('clinic')('/appoinments?email=' + email)).status, 200);
  assert.equal((await admin(`/users/${email}/access`, { method: 'PATCH', json: { disabled: true } })).status, 200);
  await waitUntil(async () => {
    assert.equal((await at('identity')(`/users/${email}`)).status, 401);
    assert.equal((await at('clinic')(`/appoinments?email=${email}`)).status, 401);
    assert.equal((await at('pharmacy')(`/orderMedi?email=${email}`)).status, 401);
    assert.equal((await at('messages')('/messages/mine')).status, 401);
  }, 1_000);
  // Without the refresh id, which gets a different answer.
  return cookie.split('; ')[0] ?? '';
}

/** Cookies of somebody who was an admin a moment ago. */
async function cookieOfDemotedAdmin(): Promise<string> {
  const email = bystanders.at(-1) ?? assert.fail('nobody to demote');
  const admin = services.from(await services.signIn(people.admin.email))('identity');
  const user = (await (await admin(`/users/${email}`)).json()) as { _id: string };
  const give = async (newRole: string): Promise<void> =>
    assert.equal((await admin(`/update-role/${user._id}`, { method: 'PATCH', json: { newRole } })).status, 200);
  await give('admin');
  const [access = ''] = (await services.signIn(email)).split('; ');
  const theirs = services.from(access);
  assert.equal((await theirs('clinic')('/appoinments?limit=1')).status, 200);
  await give('patient');
  await waitUntil(async () => {
    assert.equal((await theirs('identity')('/users?limit=1')).status, 401);
    assert.equal((await theirs('clinic')('/appoinments?limit=1')).status, 401);
    assert.equal((await theirs('pharmacy')('/orderMedi?limit=1')).status, 401);
    assert.equal((await theirs('messages')('/messages?limit=1')).status, 401);
  }, 1_000);
  return access;
}

const sessions = new Map<string, string>();
const signedIn = (person: Person): Actor => ({
  known: person,
  async cookie() {
    const cookie = sessions.get(person.email) ?? (await services.signIn(person.email));
    sessions.set(person.email, cookie);
    return cookie;
  },
});
/** People who must be created before they sign in for the first time. */
function madeFirst(known: Person, make: () => Promise<unknown>): Actor {
  let made: Promise<unknown> | undefined;
  const { cookie } = signedIn(known);
  return {
    known,
    async cookie() {
      await (made ??= make());
      return cookie();
    },
  };
}

/** Days until the last appointment that the office booked. */
let bookedDays = 20;

/** An admin, and a doctor's profile and an appointment that the admin creates. */
async function openOffice() {
  const office = services.from(await services.signIn(people.admin.email));
  const made = async (path: string, json: object): Promise<void> =>
    assert.equal((await office('clinic')(path, { method: 'POST', json })).status, 201);
  return {
    office,
    createProfile: (email: string) =>
      made('/doc-pharma', {
        name: 'Dr. Unclaimed',
        email,
        qualification: 'MBBS',
        specialization: 'Dermatology',
        experience: 3,
        role: 'doctor',
      }),
    book: (between: { readonly patientemail: string; readonly doctoremail: string }) => {
      bookedDays += 1;
      return made('/appoinments', {
        patientname: 'Unclaimed Person',
        age: 40,
        address: '1 Secret Road',
        number: '+880 1555 123456',
        date: new Date(Date.now() + bookedDays * 86_400_000).toISOString().slice(0, 10),
        time: '10:00',
        ...between,
      });
    },
  };
}

/** Registers without confirming the address, under which an admin has booked an appointment. */
function unconfirmed(email: string): Actor {
  return madeFirst({ email, role: 'patient' }, async () => {
    const { book } = await openOffice();
    await book({ patientemail: email, doctoremail: people.doctor.email });
    await register(services, { email });
  });
}

/** Registers with the address of a doctor's profile, which an admin created for a doctor who hasn't registered yet. */
function squatter(email: string): Actor {
  return madeFirst({ email, role: 'patient' }, async () => {
    const { createProfile, book } = await openOffice();
    await createProfile(email);
    await book({ patientemail: people.otherPatient.email, doctoremail: email });
    await register(services, { email });
  });
}

/** Somebody who was a doctor until a moment ago, with a profile and an appointment ahead. */
function formerDoctor(email: string): Actor {
  return madeFirst({ email, role: 'patient' }, async () => {
    const { office, createProfile, book } = await openOffice();
    const { _id } = (await (await office('identity')(`/users/${email}`)).json()) as { _id: string };
    const give = async (newRole: string, expected: object): Promise<void> => {
      const answer = await office('identity')(`/update-role/${_id}`, { method: 'PATCH', json: { newRole } });
      assert.equal(answer.status, 200);
      const began = performance.now();
      while (!(await services.databases.clinic.collection('doctors').findOne({ email, ...expected })))
        assert.ok(performance.now() - began < 5_000, `the profile doesn’t follow the role ${newRole}`);
    };
    await createProfile(email);
    await give('doctor', { accountId: _id });
    await book({ patientemail: people.otherPatient.email, doctoremail: email });
    await give('patient', { suspended: true });
  });
}

const withToken = (name: string): Actor => ({
  known: undefined,
  cookie: () => Promise.resolve(badTokens.get(name) ?? assert.fail(name)),
});

const actors: Readonly<Record<string, Actor>> = {
  anonymous: { known: undefined, cookie: () => Promise.resolve('') },
  patient: signedIn(people.patient),
  'other patient': signedIn(people.otherPatient),
  doctor: signedIn(people.doctor),
  'other doctor': signedIn(people.otherDoctor),
  pharmacist: signedIn(people.pharmacist),
  admin: signedIn(people.admin),
  'expired token': withToken('expired token'),
  'forged token': withToken('forged token'),
  'demoted admin': withToken('demoted admin'),
  unconfirmed: unconfirmed(withoutRights['an unclaimed patient']),
  squatter: squatter(withoutRights['an unclaimed doctor']),
  'former doctor': formerDoctor(withoutRights['a former doctor']),
  'switched-off patient': withToken('switched-off patient'),
};

/** Where a record holds the email address of one of its owners. */
const ownerFields: Readonly<Record<string, readonly string[]>> = {
  patient: ['patientemail'],
  doctor: ['doctoremail', 'email'],
  customer: ['customeremail'],
};

/** The status that the contract promises. */
function expectedStatus(
  { access, status: success }: Route,
  { params, query, body, record, unclaimed, letIn }: Request,
  known: Person | undefined,
): number {
  const status = letIn ?? success;
  if (access.kind === 'everyone') return status;
  if (access.kind === 'idToken') {
    // Nobody sends an ID token here; if a session is enough, it must belong to the person in the body.
    if (!access.orSession || !known) return 401;
    return body?.['email'] === known.email ? status : 403;
  }
  if (!known) return 401;
  if (access.kind === 'session' || access.kind === 'refresh') return status;
  const { self, owners = [] } = access;
  const named = self && { params, query, body }[self.in]?.[self.field];
  const isSelf = named === known.email && (self?.role === undefined || self.role === known.role);
  const isOwner = owners.some(
    ({ as, role }) =>
      as !== unclaimed &&
      ownerFields[as]?.some((field) => record?.[field] === known.email) &&
      (role === undefined || role === known.role),
  );
  return access.roles.includes(known.role) || isSelf || isOwner ? status : 403;
}

/** A service's data without what a rejected call may write: the event of a rejected sign-in. */
async function dataOf(service: TestedService): Promise<string> {
  await services.databases.identity.collection('events').deleteMany({ action: 'sign-in refused' });
  return services.dump(service);
}

/** Calls that end their own session; the next case signs in again. */
const endsSessions: readonly CallId[] = ['endSession', 'endSessions'];

const counts: Record<number, number> = {};

test('every call has its requests', () => {
  assert.deepEqual(
    [...new Set(Object.keys(maker.requests).map((name) => callOf(name).id))].toSorted(),
    Object.keys(everyRoute).toSorted(),
  );
});

test(
  'everybody gets what the contract promises, and rejected calls change nothing',
  { timeout: 300_000 },
  async (t) => {
    for (const [name, make] of Object.entries({ ...maker.requests, ...maker.attempts })) {
      const { id, route } = callOf(name);
      for (const [who, { cookie, known }] of Object.entries(actors)) {
        const request = await make();
        const expected = expectedStatus(route, request, known);
        await t.test(`${name} by ${who}: ${expected}`, async () => {
          const cookies = await cookie();
          const rejected = expected === 401 || expected === 403;
          const before = rejected ? await dataOf(route.service) : undefined;
          const answer = await send(services.from(cookies)(route.service), route, request);
          assert.equal(answer.status, expected, `${answer.status}: ${rejected ? '' : await reasonOf(answer)}`);
          const alwaysAllowed =
            route.access.kind === 'restricted' && known !== undefined && route.access.roles.includes(known.role);
          if (request.hidden !== undefined && !alwaysAllowed) {
            const text = await answer.text();
            assert.ok(!text.includes(request.hidden), `the answer holds what isn’t theirs: ${text.slice(0, 300)}`);
          } else await answer.body?.cancel();
          counts[expected] = (counts[expected] ?? 0) + 1;
          if (rejected) assert.equal(await dataOf(route.service), before);
          else if (endsSessions.includes(id)) sessions.clear();
        });
      }
    }
    t.diagnostic(`statuses: ${JSON.stringify(counts)}`);
  },
);

async function reasonOf(answer: Response): Promise<string> {
  return answer.status >= 400 ? answer.clone().text() : '';
}
