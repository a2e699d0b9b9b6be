import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { CallResponse } from '@clinic/contracts';
import type { Deployment } from '../contract/deployment-schemas.ts';
import { testFetch } from '@clinic/service-kit/testing';
import {
  gatewayReportsPath,
  type GatewayOrders,
  type GatewayReport,
} from '@clinic/service-kit/deployments/gateway-report';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { confirmedPerson, statusesOf, verdict, type Person } from '../testing/people.ts';
import type { DeploymentRecord } from './deployment-record.ts';
import { runCommand } from './release-commands.ts';
import { judge, takeReport } from './take-report.ts';

const stack = await startIdentityStack();
const ada = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
const ben = await confirmedPerson(stack, 'ben@clinic.example', 'admin');
let round = 0;
let name: string;
after(() => stack.close());

type Reported = GatewayReport['frontEnds'][string];
const today = new Date().toISOString().slice(0, 10);
/** A release deployed in that minute of an hour. */
const at = (version: string, minute: number) => ({ version, at: `2026-01-01T00:0${minute}:00.000Z` });
const three = [at('1.3.0+3', 3), at('1.2.0+2', 2), at('1.1.0+1', 1)];
const kept = { deployed: at('1.3.0+3', 3), releases: three };
const report = (front: Partial<Reported>, gateway = 'one', now?: number) =>
  takeReport(
    stack.replica.context,
    { gateway, frontEnds: { [name]: { serves: '1.3.0+3', kept, figures: [], ...front } } },
    now,
  );
const counted = (version: string, canary: number, visits: number, errors: number, lastErrorAt = 0) => ({
  version,
  canary,
  day: today,
  visits,
  errors,
  lastErrorAt,
});
const operate = (...args: string[]) => runCommand(stack.replica.context, args, { withinMs: 0, everyMs: 1 });

/** Three releases of a remote that was added later; the last one is served. */
beforeEach(async () => {
  round += 1;
  name = `mf-test${round}`;
  await report({});
});

const current = async (): Promise<Deployment> => {
  const { frontEnds } = await ada.read<CallResponse<'listDeployments'>>('/deployments');
  return frontEnds.find((one) => one.name === name) ?? assert.fail(`${name} isn’t listed`);
};
const send = (by: Person, body: object): Promise<Response> =>
  by.fetch(`/deployments/${name}`, { method: 'POST', json: body });
const change = async (by: Person, body: object): Promise<Deployment> => {
  const answer = await send(by, { revision: (await current()).revision, ...body });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Deployment;
};
const events = () => stack.events({ 'record.id': name });
const rules = { share: 0.05, errorRate: 0.1, minVisits: 20, quietMinutes: 10 };

test('an admin rolls back, pins and unpins; the command line shows the same, and the history has it', async () => {
  const before = await current();
  assert.deepEqual(
    [before.served, before.deployed, before.before, before.held, before.decision],
    ['1.3.0+3', '1.3.0+3', '1.2.0+2', undefined, undefined],
  );
  const back = await change(ada, { kind: 'rollback' });
  assert.deepEqual([back.served, back.deployed, back.held], ['1.2.0+2', '1.3.0+3', 'rolled back']);
  const pinned = await change(ben, { kind: 'pin', version: '1.1.0+1' });
  assert.deepEqual(
    [pinned.served, pinned.held, pinned.decision?.by, pinned.decision?.email],
    ['1.1.0+1', 'pinned', 'admin', ben.email],
  );
  assert.match(
    (await operate('list', name)).lines.join('\n'),
    /^1\.1\.0\+1 .* {2}served, pinned\nPinned until 'unpin'/m,
  );
  assert.equal((await change(ada, { kind: 'unpin' })).served, '1.3.0+3');
  assert.deepEqual(
    (await events()).map(({ action, actor, before: old, after: now }) => [action, actor?.email, old, now]),
    [
      ['release rolled back', ada.email, { name, version: '1.3.0+3' }, { name, version: '1.2.0+2' }],
      ['release pinned', ben.email, { name, version: '1.2.0+2' }, { name, version: '1.1.0+1' }],
      ['release unpinned', ada.email, { name, version: '1.1.0+1' }, { name, version: '1.3.0+3' }],
    ],
  );
  await operate('rollback', name);
  const { served, decision } = await current();
  assert.deepEqual(
    [served, decision?.by, decision?.kind, decision?.version],
    ['1.2.0+2', 'operator', 'rollback', '1.2.0+2'],
  );
});

test('of admins who decide concurrently, on two replicas, one succeeds; the others are rejected and change nothing', async () => {
  const other = await stack.addReplica();
  const elsewhere = testFetch(other.url, {
    cookie: [...ben.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
  });
  const { revision } = await current();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      at % 2
        ? elsewhere(`/deployments/${name}`, { method: 'POST', json: { kind: 'rollback', revision } })
        : send(ada, { kind: 'rollback', revision }),
    ),
  );
  assert.deepEqual(statusesOf(answers), [200, 412, 412, 412, 412, 412, 412, 412]);
  // Two rollbacks would have led to 1.1.0.
  assert.equal((await current()).served, '1.2.0+2');
  assert.equal((await events()).length, 1);
  assert.deepEqual(await verdict(send(ada, { kind: 'unpin', revision })), [412, 'changed_meanwhile']);
});

test('a canary is started, counted once for each gateway, and stopped', async () => {
  await change(ada, { kind: 'rollback' });
  const started = await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
  assert.deepEqual(
    [started.served, started.canary?.version, started.canary?.share, started.canary?.visits],
    ['1.2.0+2', '1.3.0+3', 0.05, 0],
  );
  const { revision } = started;
  assert.deepEqual(await verdict(send(ben, { kind: 'canary', revision, version: '1.1.0+1', ...rules })), [
    409,
    'transition_refused',
  ]);
  const orders = await report({ figures: [counted('1.3.0+3', 1, 10, 0)] });
  assert.deepEqual(orders.frontEnds[name], {
    served: {
      version: '1.2.0+2',
      note: 'pinned by a rollback from 1.3.0+3 until the next deployment: 1.2.0+2 is served, 1.3.0+3 was deployed last',
    },
    canary: { id: 1, version: '1.3.0+3', share: 0.05 },
  });
  // A repeated report, and a late one.
  for (const visits of [12, 12, 10]) await report({ figures: [counted('1.3.0+3', 1, visits, 1)] });
  await report({ figures: [counted('1.3.0+3', 1, 2, 0), counted('1.2.0+2', 0, 50, 50)] }, 'two');
  const canary = (await current()).canary;
  assert.deepEqual([canary?.visits, canary?.errors], [14, 1]);
  assert.equal((await change(ben, { kind: 'stop' })).canary, undefined);
  assert.deepEqual((await events()).map(({ action }) => action).slice(1), ['canary started', 'canary stopped']);
});

for (const [outcome, errors] of [
  ['rolled back', 4],
  ['promoted', 0],
] as const)
  test(`a canary is ${outcome} once, by the sum of all gateways, with its entry in the history`, async () => {
    await change(ada, { kind: 'rollback' });
    await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
    const later = Date.now() + 11 * 60_000;
    // Neither gateway alone has seen enough.
    await report({ figures: [counted('1.3.0+3', 1, 12, errors, 1)] }, 'one', later);
    assert.equal((await current()).canary?.visits, 12);
    const seen = (await current()).revision;
    const other = await stack.addReplica();
    await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        takeReport(
          (place % 2 ? other : stack.replica).context,
          { gateway: 'two', frontEnds: { [name]: { kept, figures: [counted('1.3.0+3', 1, 12, 0)] } } },
          later,
        ),
      ),
    );
    const { canary, decision, served, held } = await current();
    assert.deepEqual([canary, decision?.kind, decision?.by], [undefined, outcome, 'gateway']);
    // What was promoted is what was deployed last.
    assert.deepEqual([served, held], outcome === 'promoted' ? ['1.3.0+3', undefined] : ['1.2.0+2', 'rolled back']);
    assert.deepEqual(
      (await events()).slice(2).map(({ action, actor, after: now }) => [action, actor, now]),
      [
        [
          `canary ${outcome}`,
          undefined,
          {
            name,
            version: served,
            ...(outcome === 'rolled back' && { canary: '1.3.0+3' }),
            decidedBy: 'gateway',
          },
        ],
      ],
    );
    assert.deepEqual(await verdict(send(ada, { kind: 'stop', revision: seen })), [412, 'changed_meanwhile']);
    assert.match(
      (await operate('list', name)).lines.join('\n'),
      new RegExp(`The last canary, 1\\.3\\.0\\+3, was ${outcome} on .*: 24 visits, ${errors} with an error`),
    );
  });

test('a canary is judged after enough visits, first by its errors, then by its time without any', () => {
  const since = Date.parse('2026-01-01T00:00:00Z');
  const canary = { ...rules, id: 1, version: '1.1.0+b', since: new Date(since).toISOString() };
  const minute = (minutes: number) => since + minutes * 60_000;
  const judged = (visits: number, errors: number, minutes: number, lastError = 0) =>
    judge(canary, { visits, errors, lastErrorAt: lastError && minute(lastError) }, minute(minutes));
  assert.equal(judged(19, 19, 60), undefined);
  assert.equal(judged(20, 1, 1, 1), undefined);
  assert.equal(judged(20, 2, 1, 1), 'rolled back');
  // Pages may break before they report a visit.
  assert.equal(judged(0, 20, 1, 1), 'rolled back');
  assert.equal(judged(20, 0, 9.9), undefined);
  assert.equal(judged(20, 0, 10), 'promoted');
  assert.equal(judged(100, 1, 12, 5), undefined);
  assert.equal(judged(100, 1, 15, 5), 'promoted');
});

test('a roll-back ends with the next deployment, and not by a gateway that saw an earlier one; a pin stays', async () => {
  const four = at('1.4.0+4', 4);
  const next = { deployed: four, releases: [four, ...three] };
  await operate('rollback', name);
  await report({});
  assert.equal((await current()).served, '1.2.0+2');
  await report({ kept: next });
  assert.deepEqual([(await current()).served, (await current()).held], ['1.4.0+4', undefined]);
  await operate('rollback', name);
  await report({ kept });
  assert.deepEqual([(await current()).served, (await current()).deployed], ['1.3.0+3', '1.4.0+4']);
  await operate('pin', name, '1.1.0');
  const five = at('1.5.0+5', 5);
  await report({ kept: { deployed: five, releases: [five, four, ...three] } });
  assert.deepEqual([(await current()).served, (await current()).held], ['1.1.0+1', 'pinned']);
  // Its server no longer has it.
  await report({ kept: { deployed: five, releases: [five] } });
  assert.equal((await current()).served, '1.5.0+5');
});

test('what a server with its clock ahead deploys counts as deployed when first reported, and later deployments follow it', async () => {
  const ahead = { version: '1.4.0+4', at: '2999-01-01T00:00:00.000Z' };
  const day = (date: number): number => Date.UTC(2026, 1, date);
  const deployed = (last: typeof ahead, releases = [last, ...three]) => ({ kept: { deployed: last, releases } });
  const shown = async () => {
    const { deployed: last, before, releases } = await current();
    return [last, before, releases[0]?.at];
  };
  await report(deployed(ahead), 'one', day(1));
  assert.deepEqual(await shown(), ['1.4.0+4', '1.3.0+3', '2026-02-01T00:00:00.000Z']);
  const { revision } = await current();
  await report(deployed(ahead), 'two', day(2));
  await report({}, 'three', day(2));
  assert.deepEqual((await current()).revision, revision);
  // Its clock has been put right.
  const five = { version: '1.5.0+5', at: new Date(day(3)).toISOString() };
  await report(deployed(five, [ahead, five, ...three]), 'one', day(4));
  await report(deployed(ahead), 'two', day(4));
  assert.deepEqual(await shown(), ['1.5.0+5', '1.4.0+4', five.at]);
  const again = { version: '1.4.0+4', at: '2999-01-02T00:00:00.000Z' };
  await report(deployed(again, [again, five, ...three]), 'one', day(5));
  assert.deepEqual(await shown(), ['1.4.0+4', '1.5.0+5', '2026-02-05T00:00:00.000Z']);
});

test('a deployment in the future that an earlier release has stored is followed by the next one', async () => {
  const ahead = { version: '1.4.0+4', at: '2999-01-01T00:00:00.000Z' };
  await stack.replica.context.db
    .collection<DeploymentRecord>('deployments')
    .updateOne({ _id: name }, { $set: { deployed: ahead, releases: [ahead, ...three] } });
  const five = at('1.5.0+5', 5);
  await report({ kept: { deployed: five, releases: [ahead, five, ...three] } });
  assert.equal((await current()).deployed, '1.5.0+5');
});

test('a gateway’s clock doesn’t decide how long a canary has been without errors', async () => {
  await change(ada, { kind: 'rollback' });
  await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
  const start = Date.now();
  const after = (minutes: number, visits: number, errors: number, lastErrorAt: number) =>
    report({ figures: [counted('1.3.0+3', 1, visits, errors, lastErrorAt)] }, 'one', start + minutes * 60_000);
  const ahead = Date.parse('2999-01-01T00:00:00Z');
  await after(1, 30, 1, ahead);
  await after(9, 40, 2, 1);
  await after(18, 40, 2, ahead);
  assert.equal((await current()).canary?.errors, 2);
  await after(20, 40, 2, ahead);
  assert.equal((await current()).decision?.kind, 'promoted');
});

test('a pin that a front-end’s server stored before this is taken over', async () => {
  const { frontEnds } = await takeReport(stack.replica.context, {
    gateway: 'one',
    frontEnds: { 'mf-earlier': { kept: { ...kept, pinned: '1.1.0+1' }, figures: [] } },
  });
  assert.equal(frontEnds['mf-earlier']?.served?.version, '1.1.0+1');
});

test('a command says what the gateways did, and fails until all have', async () => {
  const withinMs = 60_000;
  const missing = await operate('rollback', name);
  assert.equal(missing.done, false);
  assert.match(missing.lines.at(-1) ?? '', /^It is decided, but \d of \d gateways don’t do it: /);
  await stack.replica.context.db.collection('gateways').deleteMany({});
  const alone = await operate('unpin', name);
  assert.deepEqual(
    [alone.done, alone.lines.at(-1)],
    [false, 'It is decided, but no gateway has asked for it: is one running?'],
  );
  for (const gateway of ['one', 'two']) await report({}, gateway);
  const waiting = runCommand(stack.replica.context, ['canary', name, '1.1.0', '--share', '50%', '--quiet', '10'], {
    withinMs,
    everyMs: 5,
  });
  await report({ canary: 1 }, 'one');
  const trouble = '1.1.0+1 can’t be read from its server: status 404';
  await report({ trouble }, 'two');
  await report({ canary: 1 }, 'two');
  const { done, lines } = await waiting;
  assert.deepEqual(
    [done, lines.slice(-2)],
    [
      true,
      [
        '50% of visitors get 1.1.0+1: 0 visits, 0 with an error so far. After 50 visits it is rolled back at 5% with an error, and promoted after 10 minutes without one.',
        '2 of 2 gateways do so now.',
      ],
    ],
  );
  await report({ canary: 1, trouble }, 'two');
  assert.equal(
    (await operate('stop', name)).lines.at(-1),
    `It is decided, but 2 of 2 gateways don’t do it: it hasn’t said why; ${trouble}.`,
  );
});

test('a command that can’t be carried out says why', async () => {
  const four = at('1.3.0+4', 4);
  await report({ kept: { deployed: four, releases: [four, ...three] } });
  for (const [args, reason] of [
    [['pin', name, '1.3.0'], /^There are 2 builds of 1\.3\.0: say which of 1\.3\.0\+4, 1\.3\.0\+3\.$/],
    [['pin', name, '9.9.9'], /^There is no release 9\.9\.9 here; there are 1\.3\.0\+4, /],
    [['pin', name], /list \[FRONT-END\]/],
    [['stop', name], /^No canary is running\.$/],
    [['rollback', 'mf-none'], /^No releases of mf-none are kept here\.$/],
    [['list', 'mf-none'], /^No releases of mf-none are kept here/],
    [['canary', name, '1.3.0+4', '--share', '5%'], /^Everybody has 1\.3\.0\+4 already\.$/],
    [['canary', name, '1.1.0'], /^--share: Share must be/],
    [['canary', name, '1.1.0', '--share', '51%'], /^--share: Share must be/],
    [['canary', name, '1.1.0', '--share', '5%', '--errors', '0%'], /^--errors: Error rate must be/],
    [['canary', name, '1.1.0', '--share', '5%', '--visits', '0'], /^--visits: Visits must be/],
    [['canary', name, '1.1.0', '--share', '5%', '--quiet', 'soon'], /^--quiet: Quiet time must be/],
    [['canary', name, '1.1.0', '--share', '5%', '--who', 'ann'], /--who/],
  ] as const)
    await assert.rejects(operate(...args), { message: reason }, args.join(' '));
  assert.equal((await current()).canary, undefined);
});

test('the figures of all gateways are added up by version', async () => {
  for (const gateway of ['a', 'b']) await report({ figures: [counted('1.3.0+3', 0, 10, 1)] }, gateway);
  const { releases: shown } = await current();
  assert.deepEqual(shown[0]?.figures, { visits: 20, errors: 2 });
  assert.equal(shown[1]?.figures, undefined);
});

test('gateways report without the internal secret, and nothing but a report is accepted', async () => {
  const post = (json: object) => stack.anonymous(gatewayReportsPath, { method: 'POST', json });
  assert.equal((await post({ gateway: 'three', frontEnds: {} })).status, 200);
  assert.equal((await post({ gateway: 'three', frontEnds: { 'Not one': {} } })).status, 400);
});

test('a false report chooses no release of a known front-end: at most it ends a roll-back', async () => {
  await operate('rollback', name);
  const post = (front: object) =>
    stack.anonymous(gatewayReportsPath, {
      method: 'POST',
      json: { gateway: 'false', frontEnds: { [name]: { kept, figures: [], ...front } } },
    });
  const decided = { kind: 'pinned', version: '1.1.0+1', from: '1.3.0+3' };
  for (const front of [
    { held: decided, canary: 7, serves: '1.1.0+1' },
    { kept: { ...kept, pinned: '1.1.0+1' } },
    { kept: { ...kept, held: decided }, served: { version: '1.1.0+1', note: 'pinned' } },
    { figures: [counted('1.1.0+1', 7, 100, 0)] },
  ]) {
    const answer = await post(front);
    assert.equal(answer.status, 200, await answer.clone().text());
    const { served, held, canary } = await current();
    assert.deepEqual([served, held, canary], ['1.2.0+2', 'rolled back', undefined], JSON.stringify(front));
  }
  await post({ kept: { deployed: at('9.9.9+9', 9), releases: three } });
  // No gateway is told to serve what was made up: each serves what the front-end's own server has deployed.
  const told = (await (await post({})).json()) as GatewayOrders;
  assert.deepEqual([told.frontEnds[name], (await current()).held], [{}, undefined]);
  assert.deepEqual(
    (await events()).map(({ action }) => action),
    ['release rolled back'],
  );
});

test('an impossible change is rejected with the reason, and leaves nothing behind', async () => {
  const { revision } = await current();
  for (const [body, expected] of [
    [{ kind: 'pin', revision, version: '9.9.9' }, [409, 'transition_refused']],
    [{ kind: 'stop', revision }, [409, 'transition_refused']],
    [{ kind: 'canary', revision, version: '1.3.0+3', ...rules }, [409, 'transition_refused']],
    [{ kind: 'canary', revision, version: '1.1.0+1', ...rules, share: 0.6 }, [400, 'validation_failed']],
    [{ kind: 'pin', revision, version: '../1.1.0' }, [400, 'validation_failed']],
    [{ kind: 'rollback' }, [400, 'validation_failed']],
  ] as const)
    assert.deepEqual(await verdict(send(ada, body)), expected, JSON.stringify(body));
  for (const unknown of ['mf-none', 'Not-a-front-end', '..%2f..'])
    assert.ok(
      [400, 404].includes(
        (await ada.fetch(`/deployments/${unknown}`, { method: 'POST', json: { kind: 'rollback', revision } })).status,
      ),
      unknown,
    );
  assert.deepEqual(await current(), { ...(await current()), revision, served: '1.3.0+3' });
  assert.deepEqual(await events(), []);
});

test('a former admin changes nothing, even with a token that still has the role', async () => {
  const former = await confirmedPerson(stack, `former${round}@clinic.example`, 'admin');
  const { revision } = await current();
  await stack.users.updateOne({ email: former.email }, { $set: { role: 'patient' } });
  assert.deepEqual(await verdict(send(former, { kind: 'rollback', revision })), [401, 'session_stale']);
  assert.deepEqual([(await current()).served, await events()], ['1.3.0+3', []]);
});
