import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { gatewayReport } from '@clinic/service-kit/deployments/gateway-report';
import { verdict } from '../testing/people.ts';
import { counted, kept, openReleases, rules } from '../testing/releases.ts';
import { evidenceOf, readFigures } from './figures.ts';
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
  const judged = (visits: number, errors: number, minutes: number, lastError = 0) => {
    const all = { visits, errors, lastErrorAt: lastError && minute(lastError) };
    return judge(canary, { all, others: all }, minute(minutes));
  };
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

const elsewhere = (networks: number, otherVisits: number, otherErrors: number) => ({
  networks,
  otherVisits,
  otherErrors,
});

for (const [what, errors, other, verdicts] of [
  ['that fails everywhere is rolled back', 100, elsewhere(2, 3, 3), ['rolled back']],
  ['that fails for the only network is rolled back', 100, elsewhere(1, 0, 0), ['rolled back']],
  ['that an earlier gateway saw fail is rolled back', 100, {}, ['rolled back']],
  [
    'that fails for one network, with few errors elsewhere, waits for an admin',
    98,
    elsewhere(40, 40, 1),
    [undefined, true],
  ],
  ['that fails for one network alone waits for an admin', 97, elsewhere(9, 20, 0), [undefined, true]],
  ['with one error elsewhere, and few in all, is promoted', 2, elsewhere(2, 3, 1), ['promoted']],
] as const)
  test(`a canary ${what}`, async () => {
    await change(ada, { kind: 'rollback' });
    await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules });
    const { version, day } = counted('1.3.0+3', 1, 0, 0);
    const { frontEnds } = gatewayReport.parse({
      gateway: 'one',
      frontEnds: { [name]: { figures: [{ version, day, canary: 1, visits: 100, errors, ...other }] } },
    });
    const figures = frontEnds[name]?.figures ?? [];
    await report({ figures });
    // Told once more, after a time without errors.
    await report({ figures }, 'one', Date.now() + 11 * 60_000);
    const { canary, decision } = await current();
    const ended = decision?.kind === 'canary' ? [undefined, canary?.oneNetwork] : [decision?.kind];
    assert.deepEqual(ended, verdicts);
    const shown = (await operate('list', name)).lines.join('\n');
    assert.equal(shown.includes('stop it if that network is yours'), verdicts.length > 1);
  });

test('errors that one network made up decide about no canary, over any gateways and days', () => {
  const canary = { ...rules, id: 1, version: '1.3.0+3', since: new Date(0).toISOString() };
  const late = 11 * 60_000;
  const row = { name, version: canary.version, canary: 1, at: new Date(0) };
  /** Before networks were told apart. */
  const earlier = { ...row, _id: 'earlier', visits: 0, errors: 0, lastErrorAt: 0 };
  for (let round = 0; round < 500; round += 1) {
    const rows = Array.from({ length: randomInt(1, 6) }, () => {
      const visits = randomInt(1, 40);
      const madeUp = randomInt(1, 2000);
      return { _id: randomUUID(), visits, madeUp, networks: randomInt(2, 9) };
    });
    const judged = (failing: boolean) =>
      judge(
        canary,
        evidenceOf(
          [
            earlier,
            ...rows.map(({ _id, visits, madeUp, networks }) => ({
              ...row,
              _id,
              networks,
              visits: visits + (failing ? madeUp : 0),
              errors: madeUp + (failing ? visits : 0),
              otherVisits: visits,
              otherErrors: failing ? visits : 0,
              lastErrorAt: late,
              lastOtherErrorAt: failing ? late : 0,
            })),
          ],
          1,
        ),
        late,
      );
    const visits = rows.reduce((sum, row) => sum + row.visits, 0);
    const madeUp = rows.reduce((sum, row) => sum + row.madeUp, 0);
    const failing = madeUp >= Math.max(visits, madeUp) * rules.errorRate;
    assert.equal(judged(false), !failing && visits >= rules.minVisits ? 'promoted' : undefined);
    assert.equal(judged(true), visits + madeUp >= rules.minVisits ? 'rolled back' : undefined);
  }
});

test('figures stay those of the last report, in whatever order reports come', async () => {
  await change(ada, { kind: 'rollback' });
  await change(ada, { kind: 'canary', version: '1.3.0+3', ...rules, minVisits: 900 });
  // The network with most errors is another each time: what is left without it rises and falls.
  const told = Array.from({ length: 8 }, (_, place) => ({
    ...counted('1.3.0+3', 1, 10 + place, 4 + place),
    ...elsewhere(2, place % 2 ? 3 : 8, 2 + place),
  }));
  await Promise.all(told.toSorted(() => randomInt(3) - 1).map((figures) => report({ figures: [figures] })));
  const [stored] = await readFigures(stack.replica.context, name);
  assert.deepEqual(
    [stored?.visits, stored?.errors, stored?.otherVisits, stored?.otherErrors, stored?.networks],
    [17, 11, 3, 9, 2],
  );
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
