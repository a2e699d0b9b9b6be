import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CallId, RestrictedAccess, Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { everyCall, everyRoute, type TestedService } from '../support/every-call.ts';
import { type Person } from '../support/three-services.ts';
import { type Actor, type Actors, openActors } from './actors.ts';
import type { Request } from './request.ts';
import { callOf, requestMakerForFile, send } from './requests.ts';
import type { Change } from './watched.ts';

// Every call × everybody who may try it. The expected status is worked out here from the contract's
// data, independently of the services' code. A rejected call must have changed nothing, and the answer to an allowed one is
// what the contract describes, without an extra field.

const { services, maker, data } = await requestMakerForFile();
let actors: Actors['actors'];
let forgetSessions: Actors['forgetSessions'];
before(async () => {
  ({ actors, forgetSessions } = await openActors(services));
  await meetEverybody();
});

/**
 * A service that sees a confirmed account for the first time assigns it the records under its address. Do that first,
 * so that it doesn't count as a change by the calls below.
 */
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

/** Where a record holds the email address of one of its owners. */
const ownerFields: Readonly<Record<string, readonly string[]>> = {
  patient: ['patientemail'],
  doctor: ['doctoremail', 'email'],
  customer: ['customeremail'],
};

const isAlwaysAllowed = ({ roles, rights = [] }: RestrictedAccess, known: Person): boolean =>
  roles.includes(known.role) || rights.some((right) => known.rights?.includes(right));

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
  return isAlwaysAllowed(access, known) || isSelf || isOwner ? status : 403;
}

/**
 * What has changed in a service since it was last asked for. Deletions that allowed calls started are finished first: the
 * services go on with them by themselves.
 */
async function changesIn(service: TestedService): Promise<Change[]> {
  const deletions = services.databases.identity.collection('deletions');
  await waitUntil(async () => (await deletions.countDocuments({ finishedAt: { $exists: false } })) === 0);
  return data.changesIn(service);
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

test('everybody gets what the contract promises, and rejected calls change nothing', async (t) => {
  let signedInAt = performance.now();
  for (const [name, make] of Object.entries({ ...maker.requests, ...maker.attempts })) {
    // Tokens live for five minutes: on a busy machine all calls take longer.
    if (performance.now() - signedInAt > 120_000) {
      forgetSessions();
      signedInAt = performance.now();
    }
    const { id, route } = callOf(name);
    const first = await make();
    const everybody = Object.entries(actors).map(([who, actor]) => ({
      who,
      ...actor,
      expected: expectedStatus(route, first, actor.known),
    }));
    const isRejected = ({ expected }: Case): boolean => expected === 401 || expected === 403;
    const rejected = everybody.filter(isRejected);
    if (rejected.length > 0) {
      // Signing in changes data, too.
      for (const { cookie } of rejected) await cookie();
      await changesIn(route.service);
      for (const each of rejected)
        await t.test(`${name} by ${each.who}: ${each.expected}`, () => attempt(id, first, each));
      await t.test(`${name}: the ${rejected.length} rejected calls change nothing`, async () =>
        assert.deepEqual(await changesIn(route.service), []),
      );
    }
    // The request that the others weren't allowed to make is the first to be made.
    let request: Request | undefined = first;
    for (const each of everybody.filter((one) => !isRejected(one))) {
      const next = request ?? (await make());
      request = undefined;
      await t.test(`${name} by ${each.who}: ${each.expected}`, () => attempt(id, next, each));
      if (endsSessions.includes(id)) forgetSessions();
    }
  }
  t.diagnostic(`statuses: ${JSON.stringify(counts)}`);
});

/** Somebody who makes a call, and the status that they must get. */
interface Case extends Actor {
  readonly expected: number;
}

async function attempt(id: CallId, request: Request, { cookie, known, expected }: Case): Promise<void> {
  const route = everyRoute[id];
  const answer = await send(services.from(await cookie())(route.service), route, request);
  assert.equal(answer.status, expected, `${answer.status}: ${await reasonOf(answer)}`);
  counts[expected] = (counts[expected] ?? 0) + 1;
  // It would never end.
  if (route.media === 'text/event-stream' && answer.ok) return answer.body?.cancel();
  const text = await answer.text();
  const alwaysAllowed =
    route.access.kind === 'restricted' && known !== undefined && isAlwaysAllowed(route.access, known);
  if (request.hidden !== undefined && !alwaysAllowed)
    assert.ok(!text.includes(request.hidden), `the answer holds what isn’t theirs: ${text.slice(0, 300)}`);
  if (answer.status !== route.status || route.media !== undefined || text === '') return;
  const { response }: CallSchemas = everyCall[id as keyof typeof everyCall];
  const wire: unknown = JSON.parse(text);
  // Parsing drops fields that the contract doesn't know, so that extra ones show up as a difference.
  assert.deepEqual(response.parse(wire), wire);
}

async function reasonOf(answer: Response): Promise<string> {
  return answer.status >= 400 ? answer.clone().text() : '';
}
