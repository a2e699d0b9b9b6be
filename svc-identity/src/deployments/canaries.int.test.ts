import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { verdict } from '../testing/people.ts';
import { counted, kept, openReleases, rules } from '../testing/releases.ts';
import { judge, takeReport } from './take-report.ts';

const { stack, ada, ben, report, current, send, change, operate, events, nextFrontEnd } = await openReleases();
let name: string;
after(() => stack.close());
beforeEach(async () => {
  name = await nextFrontEnd();
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
    await report({ figures: [counted('1.3.0+3', 1, 12, errors)] }, 'one', later);
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
    const [shown] = (await operate('list', name)).lines.filter((line) => line.startsWith('1.3.0+3'));
    assert.match(shown ?? '', new RegExp(`24 visits, ${errors} with an error`));
  });

test('a canary is judged after enough visits, first by its errors, then by its time without any', () => {
  const since = Date.parse('2026-01-01T00:00:00Z');
  const canary = { ...rules, id: 1, version: '1.1.0+b', since: new Date(since).toISOString() };
  const minute = (minutes: number) => since + minutes * 60_000;
  const judged = (visits: number, errors: number, minutes: number, lastError = 0) =>
    judge(canary, { visits, errors, failures: errors, lastErrorAt: lastError && minute(lastError) }, minute(minutes));
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

test('where visitors come from several networks, errors of one never roll a canary back, those of several do', async () => {
  await change(ada, { kind: 'rollback' });
  await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
  // Before the canary had any other visitor, too: the served release has them.
  await report({ figures: [{ ...counted('1.2.0+2', 0, 9, 0), networks: 2 }] });
  const canary = { visits: 0, errors: 0, confirmedErrors: 0, networks: 0 };
  for (const [visits, errors, confirmedErrors, networks] of [
    [20, 20, 0, 1],
    [9_000, 9_000, 0, 1],
    // One of the others’ pages had an error, too.
    [9_040, 9_001, 1, 40],
    [9_040, 99_000, 1, 40],
  ] as const)
    for (const gateway of ['one', 'two']) {
      Object.assign(canary, { visits, errors, confirmedErrors, networks });
      await report({ figures: [{ ...counted('1.3.0+3', 1, 0, 0), ...canary }] }, gateway);
      assert.equal((await current()).canary?.version, '1.3.0+3', JSON.stringify(canary));
    }
  await report({ figures: [{ ...counted('1.3.0+3', 1, 0, 0), ...canary, confirmedErrors: 60_000 }] });
  assert.equal((await current()).decision?.kind, 'rolled back');
});

test('a canary goes to everybody once it has been without errors for long enough, by our own clock', async () => {
  await change(ada, { kind: 'rollback' });
  await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
  const start = Date.now();
  const after = (minutes: number, visits: number, errors: number) =>
    report({ figures: [counted('1.3.0+3', 1, visits, errors)] }, 'one', start + minutes * 60_000);
  await after(1, 30, 1);
  await after(9, 40, 2);
  await after(18, 40, 2);
  assert.equal((await current()).canary?.errors, 2);
  await after(20, 40, 2);
  assert.equal((await current()).decision?.kind, 'promoted');
});

test('the figures of all gateways are added up by version', async () => {
  for (const gateway of ['a', 'b']) await report({ figures: [counted('1.3.0+3', 0, 10, 1)] }, gateway);
  const { releases: shown } = await current();
  assert.deepEqual(shown[0]?.figures, { visits: 20, errors: 2 });
  assert.equal(shown[1]?.figures, undefined);
});
