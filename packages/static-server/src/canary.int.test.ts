import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { endCanary, endedCanaries, judge, readCanary, startCanary, storeCounts, totalCounts } from './canary.ts';
import { runReleaseCommand } from './release-command.ts';
import { keepRelease, readReleases, servedRelease } from './releases.ts';

const rules = { share: 0.05, errorRate: 0.1, minVisits: 20, quietMinutes: 10 };

describe('a canary', () => {
  let root: string;
  let releases: string;

  /** Writes a build. @returns its folder */
  async function build(version: string): Promise<string> {
    const folder = path.join(root, `build-${version}`);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'remote.json'), JSON.stringify({ version }));
    return folder;
  }

  const served = async (): Promise<string | undefined> => servedRelease(await readReleases(releases))?.version;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'canary-'));
  });
  after(() => rm(root, { recursive: true, force: true }));
  beforeEach(async () => {
    releases = await mkdtemp(path.join(root, 'releases-'));
    await keepRelease(releases, await build('1.0.0+a'), { version: '1.0.0+a', digest: 'a' });
    await runReleaseCommand(releases, 'add', [await build('1.1.0+b')]);
  });

  it('is a release that is kept but not served', async () => {
    assert.equal(await served(), '1.0.0+a');
    const canary = await startCanary(releases, '1.1.0', rules);
    assert.equal(canary.version, '1.1.0+b');
    assert.deepEqual(await readCanary(releases), canary);
    assert.equal(await served(), '1.0.0+a');
    await assert.rejects(startCanary(releases, '1.0.0', rules), /Everybody has 1\.0\.0\+a already/);
  });

  it('is started once, and ended once, by processes that race', async () => {
    const starts = await Promise.allSettled(Array.from({ length: 10 }, () => startCanary(releases, '1.1.0', rules)));
    assert.equal(starts.filter(({ status }) => status === 'fulfilled').length, 1);
    const canary = await readCanary(releases);
    assert.ok(canary);
    assert.equal(canary.id, 1);
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        endCanary(releases, canary, { outcome: i % 2 ? 'promoted' : 'rolled back', visits: i, errors: 0 }),
      ),
    );
    assert.deepEqual(ends.filter(Boolean), [true]);
    const [end, ...others] = await endedCanaries(releases);
    assert.deepEqual(others, []);
    // Only the winner's outcome has an effect.
    assert.equal(ends[end?.visits ?? -1], true);
    assert.equal(await served(), end?.outcome === 'promoted' ? '1.1.0+b' : '1.0.0+a');
  });

  it('goes to everybody once promoted, until another release is deployed', async () => {
    const canary = await startCanary(releases, '1.1.0', rules);
    await endCanary(releases, canary, { outcome: 'promoted', visits: 20, errors: 0 });
    assert.equal(await served(), '1.1.0+b');
    // The server starts again with the build that it had.
    await keepRelease(releases, await build('1.0.0+a'), { version: '1.0.0+a', digest: 'a' });
    assert.equal(await served(), '1.1.0+b');
    assert.match((await runReleaseCommand(releases, 'list', [])).join('\n'), /^1\.1\.0\+b .*served, promoted$/m);
    await keepRelease(releases, await build('1.2.0+c'), { version: '1.2.0+c', digest: 'c' });
    assert.equal(await served(), '1.2.0+c');
  });

  it('is stopped by a command, and another one can follow', async () => {
    await runReleaseCommand(releases, 'canary', ['1.1.0', '--share', '5%', '--quiet', '10']);
    assert.match(
      (await runReleaseCommand(releases, 'list', [])).at(-1) ?? '',
      /^5% of visitors get 1\.1\.0\+b: 0 visits, 0 with an error so far\. After 50 visits it is rolled back at 5% with an error, and promoted after 10 minutes without one\.$/,
    );
    await assert.rejects(runReleaseCommand(releases, 'canary', ['1.1.0', '--share', '5%']), /1\.1\.0\+b is running/);
    await runReleaseCommand(releases, 'stop', []);
    assert.equal(await readCanary(releases), undefined);
    await assert.rejects(runReleaseCommand(releases, 'stop', []), /No canary is running/);
    await runReleaseCommand(releases, 'canary', ['1.1.0', '--share', '50%']);
    assert.equal((await readCanary(releases))?.id, 2);
  });

  it('is only for remotes', async () => {
    await rm(path.join(releases, '1.1.0+b', 'remote.json'));
    await assert.rejects(startCanary(releases, '1.1.0', rules), /Only a remote can have a canary/);
    assert.equal(await readCanary(releases), undefined);
  });

  it('is rejected with options that make no sense', async () => {
    for (const options of [
      [],
      ['--share', '5'],
      ['--share', '0.9%'],
      ['--share', '51%'],
      ['--share', '5%', '--errors', '0%'],
      ['--share', '5%', '--visits', '0'],
      ['--share', '5%', '--quiet', 'soon'],
      ['--share', '5%', '--who', 'ann'],
    ])
      await assert.rejects(runReleaseCommand(releases, 'canary', ['1.1.0', ...options]), { name: 'Error' });
    assert.equal(await readCanary(releases), undefined);
  });

  it('adds up what all processes have counted, and no earlier canary’s', async () => {
    const first = await startCanary(releases, '1.1.0', rules);
    await storeCounts(releases, first, 'one', { visits: 3, errors: 1, lastErrorAt: 5 });
    await storeCounts(releases, first, 'two', { visits: 4, errors: 0, lastErrorAt: 0 });
    await storeCounts(releases, first, 'two', { visits: 6, errors: 2, lastErrorAt: 7 });
    assert.deepEqual(await totalCounts(releases, first), { visits: 9, errors: 3, lastErrorAt: 7 });
    await endCanary(releases, first, { outcome: 'stopped', visits: 9, errors: 3 });
    const next = await startCanary(releases, '1.1.0', rules);
    assert.deepEqual(await totalCounts(releases, next), { visits: 0, errors: 0, lastErrorAt: 0 });
  });

  it('is judged after enough visits, first by its errors, then by its time without any', () => {
    const since = Date.parse('2026-01-01T00:00:00Z');
    const canary = { ...rules, id: 1, version: '1.1.0+b', since: new Date(since).toISOString() };
    const at = (minutes: number) => since + minutes * 60_000;
    const judged = (visits: number, errors: number, minutes: number, lastError = 0) =>
      judge(canary, { visits, errors, lastErrorAt: lastError && at(lastError) }, at(minutes));
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
});
