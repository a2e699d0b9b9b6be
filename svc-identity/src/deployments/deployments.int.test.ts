import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import type { CallResponse, Deployment } from '@clinic/contracts';
import { testFetch } from '@clinic/service-kit/testing';
import { endCanary, readCanary, storeCounts } from '@clinic/static-server/canary';
import { runReleaseCommand } from '@clinic/static-server/release-command';
import { countVital, noFigures, storeFigures } from '@clinic/static-server/release-figures';
import { keepRelease } from '@clinic/static-server/releases';
import { changeDeployment } from './change-deployment.ts';
import { noticeDecisions } from './notice-decisions.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { confirmedPerson, statusesOf, verdict, type Person } from '../testing/people.ts';

const root = await mkdtemp(path.join(tmpdir(), 'deployments-'));
const stack = await startIdentityStack({ RELEASES_DIR: root });
const ada = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
const ben = await confirmedPerson(stack, 'ben@clinic.example', 'admin');
let round = 0;
let name: string;
let releases: string;
after(async () => {
  await stack.close();
  await rm(root, { recursive: true, force: true });
});

/** Three releases of a remote; the last one is served. */
beforeEach(async () => {
  round += 1;
  name = `mf-test${round}`;
  releases = path.join(root, name);
  for (const digit of [1, 2, 3]) {
    const version = `1.${digit}.0+${digit}`;
    const folder = await mkdtemp(path.join(tmpdir(), 'deployments-build-'));
    await writeFile(path.join(folder, 'remote.json'), JSON.stringify({ version }));
    await keepRelease(releases, folder, { version, digest: String(digit) });
    await rm(folder, { recursive: true });
  }
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
  assert.match((await runReleaseCommand(releases, 'list', [])).join('\n'), /^1\.1\.0\+1 .* {2}served, pinned$/m);
  assert.equal((await change(ada, { kind: 'unpin' })).served, '1.3.0+3');
  assert.deepEqual(
    (await events()).map(({ action, actor, before: old, after: now }) => [action, actor?.email, old, now]),
    [
      ['release rolled back', ada.email, { name, version: '1.3.0+3' }, { name, version: '1.2.0+2' }],
      ['release pinned', ben.email, { name, version: '1.2.0+2' }, { name, version: '1.1.0+1' }],
      ['release unpinned', ada.email, { name, version: '1.1.0+1' }, { name, version: '1.3.0+3' }],
    ],
  );
  await runReleaseCommand(releases, 'rollback', []);
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

test('a canary is started, counted and stopped; one that gateways end is recorded as their decision', async () => {
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
  const running = (await readCanary(releases)) ?? assert.fail('no canary');
  await storeCounts(releases, running, 'one', { visits: 40, errors: 2, lastErrorAt: 1 });
  await storeCounts(releases, running, 'two', { visits: 2, errors: 0, lastErrorAt: 0 });
  const counted = (await current()).canary;
  assert.deepEqual([counted?.visits, counted?.errors], [42, 2]);
  assert.equal((await change(ben, { kind: 'stop' })).canary, undefined);
  assert.deepEqual((await events()).map(({ action }) => action).slice(1), ['canary started', 'canary stopped']);

  await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
  const second = (await readCanary(releases)) ?? assert.fail('no canary');
  const seen = (await current()).revision;
  await endCanary(releases, second, { outcome: 'rolled back', visits: 50, errors: 9 });
  assert.deepEqual(await verdict(send(ada, { kind: 'stop', revision: seen })), [412, 'changed_meanwhile']);
  const { decision, canary } = await current();
  assert.deepEqual(
    [canary, decision?.kind, decision?.by, decision?.version],
    [undefined, 'rolled back', 'gateway', '1.3.0+3'],
  );
});

test('the figures of all gateways are added up by version', async () => {
  const today = new Date().toISOString().slice(0, 10);
  for (const gateway of ['a', 'b']) {
    const figures = noFigures();
    figures.visits = 10;
    figures.errors = 1;
    for (const lcp of [100, 900, 900, 900]) countVital(figures, 'LCP', lcp);
    countVital(figures, 'CLS', 0);
    await storeFigures(releases, gateway, today, { '1.3.0+3': figures });
  }
  const { releases: shown } = await current();
  assert.deepEqual(shown[0]?.figures, { visits: 20, errors: 2, lcp: 750 + (250 * 4) / 6, cls: 0.00075 });
  assert.equal(shown[1]?.figures, undefined);
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
  await mkdir(path.join(root, 'Not-a-front-end'), { recursive: true });
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

/** A time by which every decision so far has been carried out or withdrawn. */
const later = (): number => Date.now() + 3_600_000;

const historyNow = async () =>
  (await events()).map(({ action, actor, after: now }) => [action, actor?.email, now as Record<string, unknown>]);

test('decisions of the command line and of gateways are added to the history once, whichever replica notices them', async () => {
  const other = await stack.addReplica();
  await runReleaseCommand(releases, 'rollback', []);
  await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
  const running = (await readCanary(releases)) ?? assert.fail('no canary');
  await endCanary(releases, running, { outcome: 'promoted', visits: 50, errors: 0 });
  await Promise.all(
    Array.from({ length: 8 }, (_, at) => noticeDecisions((at % 2 ? other : stack.replica).context, later())),
  );
  assert.deepEqual(await historyNow(), [
    ['release rolled back', undefined, { name, version: '1.2.0+2', decidedBy: 'command line' }],
    ['canary started', ada.email, { name, version: '1.2.0+2', canary: '1.3.0+3', share: 0.05 }],
    ['canary promoted', undefined, { name, version: '1.3.0+3', decidedBy: 'gateway' }],
  ]);
});

test('a change whose commit fails stays in effect, and is added to the history later', async () => {
  const { context } = stack.replica;
  const failing: typeof context = {
    ...context,
    inTransaction: (work) =>
      context.inTransaction(async (session) => {
        await work(session);
        throw new Error('the commit failed');
      }),
  };
  const { revision } = await current();
  const { _id: id } = await stack.user(ada.email);
  const caller = { id: id.toHexString(), email: ada.email, role: 'admin' } as Parameters<
    typeof changeDeployment
  >[1]['caller'];
  const request = { name, change: { kind: 'rollback', revision }, caller, requestId: 'uncommitted' } as const;
  await assert.rejects(changeDeployment(failing, request), { message: 'the commit failed' });
  const { served, decision } = await current();
  assert.deepEqual([served, decision?.kind, decision?.email], ['1.2.0+2', 'rollback', ada.email]);
  assert.deepEqual(await historyNow(), []);
  await noticeDecisions(context, later());
  await noticeDecisions(context, later());
  assert.deepEqual(await historyNow(), [['release rolled back', ada.email, { name, version: '1.2.0+2' }]]);
});

test('a former admin changes nothing, even with a token that still has the role', async () => {
  const former = await confirmedPerson(stack, `former${round}@clinic.example`, 'admin');
  const { revision } = await current();
  await stack.users.updateOne({ email: former.email }, { $set: { role: 'patient' } });
  assert.deepEqual(await verdict(send(former, { kind: 'rollback', revision })), [401, 'session_stale']);
  assert.deepEqual([(await current()).served, await events()], ['1.3.0+3', []]);
});
