import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { at, openReleases, three } from '../testing/releases.ts';
import { runCommand } from './release-commands.ts';

const { stack, report, current, operate, nextFrontEnd } = await openReleases();
let name: string;
after(() => stack.close());
beforeEach(async () => {
  name = await nextFrontEnd();
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
