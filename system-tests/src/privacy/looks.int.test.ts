import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CallId, Look, Route, User } from '@clinic/contracts';
import { demoPharmacists } from '@clinic/demo-data';
import { cookieNames, type LookRecord } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import type { Request } from '../access/request.ts';
import { makeAccessToken } from '../../../svc-identity/src/sessions/access-token.ts';
import { usersOf } from '../../../svc-identity/src/users/user-record.ts';
import { callOf, requestMakerForFile, send } from '../access/requests.ts';
import { everyRoute, type TestedService } from '../support/every-call.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, type ThreeServices } from '../support/three-services.ts';

// Every call whose contract says that it shows somebody's data, made by staff: the person finds the look where My Account
// asks. Generated from the contract, so that a new call takes part by itself.

const { services, maker } = await requestMakerForFile();
const cookies: Record<string, string> = {};
let patientId: string;
before(async () => {
  for (const who of ['admin', 'patient'] as const) cookies[who] = await services.signIn(people[who].email);
  ({ _id: patientId } = await readJson<User>(as('patient')('identity')(`/users/${people.patient.email}`)));
  // The services learn whose address it is.
  for (const path of ['clinic /appoinments', 'pharmacy /orderMedi', 'messages /messages/looks'].map((one) =>
    one.split(' '),
  ))
    await readJson(as('patient')(path[0] as TestedService)(`${path[1]}?email=${people.patient.email}&limit=1`));
});

const as = (who: 'admin' | 'patient') => services.from(cookies[who] ?? '');

/** A session of another admin each time: the same one's next look at somebody within an hour isn't another. */
async function nextAdmin(): Promise<ReturnType<ThreeServices['from']>> {
  const users = usersOf({ db: services.databases.identity });
  const user = (await users.findOne({ email: people.admin.email })) ?? assert.fail('no admin');
  const grant = { role: user.role, sessionId: 'looks', provenAt: new Date(), audiences: Object.keys(services.urls) };
  const { token } = await makeAccessToken(services.key, { ...grant, user: { ...user, _id: new ObjectId() } }, 300);
  return services.from(`${cookieNames.access}=${token}`);
}
const looksOf = (service: TestedService) => services.databases[service].collection<LookRecord>('looks');

/** Calls about the patient that the request maker makes about somebody else, and those that delete. */
const ofOthers = new Set(['changeRole', 'changeAccess', 'changePharmacist', 'getProfiles', 'listPharmacists']);

/** Somebody else whom a list finds that has no patients. */
const found: Readonly<Partial<Record<CallId, string>>> = { listPharmacists: demoPharmacists[0]?.lastName ?? '' };

/** The request, narrowed to the patient, or whom the call finds, if it lists everybody otherwise. */
function narrowed(id: CallId, { shows }: Route, request: Request): Request {
  const by = shows?.narrowedBy;
  if (!by || by.some((name) => request.query?.[name] !== undefined)) return request;
  const name = ['email', 'person', 'q'].find((one) => by.includes(one)) ?? by[0] ?? '';
  return { ...request, query: { ...request.query, [name]: found[id] ?? people.patient.email } };
}

const showing = (): [string, () => Promise<Request>][] =>
  Object.entries(maker.requests).filter(([name]) => callOf(name).route.shows !== undefined);

test(
  'every call that shows somebody’s data to staff leaves a look, which the person sees',
  { timeout: 300_000 },
  async (t) => {
    for (const [name, make] of showing()) {
      const { id, route } = callOf(name);
      if (route.access.kind !== 'restricted' || !route.access.roles.includes('admin')) continue;
      await t.test(name, async () => {
        const request = narrowed(id, route, await make());
        // What it took to make the request.
        // These need an admin who exists, whose second look at the same person isn't another.
        const asThemselves = id === 'changeRole' || id === 'changeRights' || id === 'changeAccess';
        if (!asThemselves) await looksOf(route.service).deleteMany({});
        const answer = await send((asThemselves ? as('admin') : await nextAdmin())(route.service), route, request);
        const text = await answer.text();
        if (answer.status >= 400) return assert.equal(answer.status, request.letIn, text);
        // A preview without appointments, or a schedule that every appointment fits, shows nobody.
        if (text === '[]') return t.diagnostic(`${name} finds nobody here`);
        if (!text.includes(people.patient.email) && !ofOthers.has(id) && route.shows?.whose !== 'told') {
          t.diagnostic(`${name} shows nobody here`);
          return;
        }
        const look = await waitUntil(async () => {
          const whose = ofOthers.has(id) ? {} : { whose: { $in: [patientId, people.patient.email] } };
          return (await looksOf(route.service).findOne(whose)) ?? false;
        });
        assert.deepEqual([look.by.email, look.what], [people.admin.email, route.shows?.what]);
        assert.equal(look.how === 'exported', route.shows?.copy === true);
        if (ofOthers.has(id)) return;
        const seen = await readJson<Look[]>(as('patient')(route.service)(pageCall(route.service)));
        assert.deepEqual(
          seen.map(({ by, what }) => ({ by, what })),
          [{ by: { role: 'admin' }, what: look.what }],
        );
      });
    }
  },
);

/** Where My Account asks a service: of identity by the path, of the others by `looks` in their contract. */
function pageCall(service: TestedService): string {
  if (service === 'identity') return `/users/${people.patient.email}/looks`;
  const call = Object.values<Route>(everyRoute).find((route) => route.service === service && route.looks);
  return `${(call ?? assert.fail(`${service} lists no looks`)).path}?email=${people.patient.email}`;
}

test('people who read what is theirs leave none', { timeout: 300_000 }, async () => {
  for (const service of ['identity', 'clinic', 'pharmacy', 'messages'] as const) await looksOf(service).deleteMany({});
  let read = 0;
  for (const [name, make] of showing()) {
    const { route } = callOf(name);
    if (route.method !== 'GET') continue;
    const answer = await send(as('patient')(route.service), route, await make());
    read += Number(answer.status === 200);
    await answer.body?.cancel();
  }
  assert.ok(read >= 8, `only ${read} calls`);
  // Looks are written in order: once these are there, the others would be, too.
  for (const [service, path] of [
    ['identity', `/users/${people.otherPatient.email}`],
    ['clinic', `/appoinments/export?email=${people.otherPatient.email}`],
    ['pharmacy', `/orderMedi/export?email=${people.otherPatient.email}`],
  ] as const) {
    await readJson((await nextAdmin())(service)(path));
    await waitUntil(async () => (await looksOf(service).countDocuments({ 'by.role': 'admin' })) > 0);
    assert.equal(await looksOf(service).countDocuments({ 'by.role': 'patient' }), 0, service);
  }
});
