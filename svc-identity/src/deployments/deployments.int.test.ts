import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { testFetch } from '@clinic/service-kit/testing';
import { gatewayReportsPath, type GatewayOrders } from '@clinic/service-kit/deployments/gateway-report';
import { verdict, confirmedPerson } from '../testing/people.ts';
import { at, counted, kept, openReleases, rules, three } from '../testing/releases.ts';
import type { DeploymentRecord } from './deployment-record.ts';
import { takeReport } from './take-report.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const { stack, ada, ben, report, current, send, change, operate, events, nextFrontEnd } = await openReleases();
let name: string;
after(() => stack.close());
beforeEach(async () => {
  name = await nextFrontEnd();
});

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
  // The same by the same admin is one decision: a client may repeat a request whose response it lost.
  assert.deepEqual(statusesOf(answers), [200, 200, 200, 200, 412, 412, 412, 412]);
  // Two rollbacks would have led to 1.1.0.
  assert.equal((await current()).served, '1.2.0+2');
  assert.equal((await events()).length, 1);
  assert.deepEqual(await verdict(send(ada, { kind: 'unpin', revision })), [412, 'changed_meanwhile']);
});

test('a decision that is sent again is made once, unless it says something else or another was made since', async () => {
  const { revision } = await current();
  const canary = {
    kind: 'canary',
    version: '1.2.0',
    revision,
    share: 0.1,
    errorRate: 0.5,
    minVisits: 9,
    quietMinutes: 9,
  };
  const twice = [await send(ada, canary), await send(ada, canary)];
  assert.deepEqual(statusesOf(twice), [200, 200]);
  for (const other of [
    { ...canary, share: 0.2 },
    { ...canary, version: '1.1.0' },
    { kind: 'stop', revision },
  ])
    assert.deepEqual(await verdict(send(ada, other)), [412, 'changed_meanwhile']);
  assert.equal((await events()).length, 1);
  await change(ada, { kind: 'stop' });
  assert.deepEqual(await verdict(send(ada, canary)), [412, 'changed_meanwhile']);
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

test('a pin that a front-end’s server stored before this is taken over', async () => {
  const { frontEnds } = await takeReport(stack.replica.context, {
    gateway: 'one',
    frontEnds: { 'mf-earlier': { kept: { ...kept, pinned: '1.1.0+1' }, figures: [] } },
  });
  assert.equal(frontEnds['mf-earlier']?.served?.version, '1.1.0+1');
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
  const former = await confirmedPerson(stack, `former@clinic.example`, 'admin');
  const { revision } = await current();
  await stack.users.updateOne({ email: former.email }, { $set: { role: 'patient' } });
  assert.deepEqual(await verdict(send(former, { kind: 'rollback', revision })), [401, 'session_stale']);
  assert.deepEqual([(await current()).served, await events()], ['1.3.0+3', []]);
});
