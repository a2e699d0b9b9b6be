import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Registry } from '@clinic/contracts/remotes';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { startStaticServer, type StaticServer } from '@clinic/static-server';
import { endedCanaries, readCanary, startCanary } from '@clinic/static-server/canary';
import { p75, readFigures } from '@clinic/static-server/release-figures';
import { runReleaseCommand } from '@clinic/static-server/release-command';
import { readReleases } from '@clinic/static-server/releases';
import { ask, type Answer } from '../testing/servers.ts';
import { clinicRemote, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const rules = { share: 0.5, errorRate: 0.1, minVisits: 20, quietMinutes: 60 };
const page = '/appoinment/1';

describe('a canary behind two gateways', () => {
  let root: string;
  let releases: string;
  let server: StaticServer;
  let gateways: TestGateway[] = [];
  let lines: Record<string, unknown>[];

  async function write(version: string): Promise<string> {
    const folder = path.join(root, `build-${version}`);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'remote.json'), JSON.stringify(clinicRemote(version)));
    return folder;
  }

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'gateway-canary-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  beforeEach(async () => {
    const all = await mkdtemp(path.join(root, 'releases-'));
    releases = path.join(all, 'mf-clinic');
    server = await startStaticServer({ directory: await write('1.0.0'), releases, port: 0, pollMs: 10 });
    await runReleaseCommand(releases, 'add', [await write('2.0.0')]);
    lines = [];
    const env = { REMOTES: `mf-clinic=${server.url}`, RELEASES_DIR: all };
    const start = () => startGateway(env, { pollEveryMs: 50, onLog: (line) => void lines.push(line) });
    gateways = await Promise.all([start(), start()]);
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await server.close();
  });

  const url = (gateway: number): string => gateways[gateway]?.url ?? '';
  const asGroup = (group: number): Record<string, string> => ({ cookie: `theme=dark; release-group=${group}` });
  const versionIn = (text: string): string | undefined =>
    (/"registry">(.*?)<\/script>/.exec(text)?.[1] ?? text).match(/"version":"([^"]+)"/)?.[1];
  const versionFor = async (gateway: number, group: number): Promise<string | undefined> =>
    versionIn((await ask(url(gateway), page, { headers: asGroup(group) })).text);
  const send = (gateway: number, address: string, body: unknown): Promise<Answer> =>
    ask(url(gateway), address, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const visit = async (gateway: number, version: string, remote = 'mf-clinic'): Promise<void> => {
    const { status } = await send(gateway, '/page-visits', { visits: [{ remote, version }], vitals: [] });
    assert.equal(status, 204);
  };
  const fail = async (gateway: number, version: string, remote = 'mf-clinic'): Promise<void> => {
    const report = { kind: 'broken', remote, version, first: true };
    assert.equal((await send(gateway, '/page-errors', report)).status, 204);
  };
  const logged = (message: string): readonly unknown[] => lines.filter(({ msg }) => msg === message);
  const followed = (): Promise<true> => waitUntil(() => logged('canary follows').length === 2);

  it('goes to the same share of visitors at both, page and registry alike', async () => {
    const before = await ask(url(0), page);
    assert.equal(before.headers['set-cookie'], undefined);
    assert.deepEqual([before.headers.vary, before.headers['cache-control']], ['Accept-Encoding', 'no-cache']);
    await startCanary(releases, '2.0.0', rules);
    await followed();
    const seen = new Map<string, number>();
    for (let group = 0; group < 60; group += 1) {
      const version = await versionFor(0, group);
      assert.equal(await versionFor(1, group), version, `group ${group}`);
      const { remotes } = (await ask(url(1), '/registry.json', { headers: asGroup(group) })).json<Registry>();
      assert.equal(remotes[0]?.version, version);
      seen.set(version ?? '', (seen.get(version ?? '') ?? 0) + 1);
    }
    assert.deepEqual([...seen.keys()].toSorted(), ['1.0.0', '2.0.0']);
    assert.ok(Math.min(...seen.values()) >= 15, JSON.stringify([...seen]));
  });

  it('gives a new browser one of a hundred groups, and tells caches that pages vary', async () => {
    await startCanary(releases, '2.0.0', rules);
    await followed();
    const { headers, text } = await ask(url(0), page);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    assert.match(cookie, /^release-group=\d{1,2}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    assert.deepEqual([headers.vary, headers['cache-control']], ['Accept-Encoding, Cookie', 'private, no-cache']);
    const group = Number(/\d+/.exec(cookie)?.[0]);
    assert.equal(await versionFor(1, group), versionIn(text));
    // An open page whose browser has no group keeps the deployed version.
    const registry = await ask(url(0), '/registry.json');
    assert.deepEqual([registry.headers['set-cookie'], versionIn(registry.text)], [undefined, '1.0.0']);
    // An invalid group counts as none.
    const odd = await ask(url(0), page, { headers: { cookie: 'release-group=1234' } });
    assert.equal(odd.headers['set-cookie']?.length, 1);
  });

  it('is rolled back once, on the sum of both counts, and never promoted', async () => {
    const canary = await startCanary(releases, '2.0.0', rules);
    await followed();
    // Neither gateway alone has enough visits. Errors of others aren't the canary's.
    for (let i = 0; i < 10; i += 1) await visit(i % 2, '1.0.0');
    for (let i = 0; i < 6; i += 1) await fail(i % 2, i < 3 ? '1.0.0' : '2.0.0', i < 3 ? 'mf-clinic' : 'mf-pharmacy');
    for (let i = 0; i < 18; i += 1) await visit(i % 2, '2.0.0');
    await Promise.all([fail(0, '2.0.0'), fail(1, '2.0.0')]);
    assert.deepEqual(await readCanary(releases), canary);
    await Promise.all([visit(0, '2.0.0'), visit(1, '2.0.0')]);
    await waitUntil(async () => (await endedCanaries(releases)).length === 1);
    await waitUntil(async () => (await ask(url(0), page)).headers['set-cookie'] === undefined);
    await waitUntil(async () => (await ask(url(1), page)).headers['set-cookie'] === undefined);
    const [end] = await endedCanaries(releases);
    assert.deepEqual([end?.outcome, end?.visits, end?.errors], ['rolled back', 20, 2]);
    assert.equal(logged('canary rolled back').length, 1);
    assert.equal(logged('canary promoted').length, 0);
    for (let group = 0; group < 10; group += 1) assert.equal(await versionFor(group % 2, group), '1.0.0');
  });

  it('is promoted to everybody after its quiet time', async () => {
    await startCanary(releases, '2.0.0', { ...rules, quietMinutes: 0.001 });
    await followed();
    for (let i = 0; i < 20; i += 1) await visit(i % 2, '2.0.0');
    await waitUntil(async () => versionIn((await ask(url(0), '/registry.json')).text) === '2.0.0');
    await waitUntil(async () => versionIn((await ask(url(1), '/registry.json')).text) === '2.0.0');
    await waitUntil(async () => (await ask(url(0), page)).headers['set-cookie'] === undefined);
    await waitUntil(async () => (await ask(url(1), page)).headers['set-cookie'] === undefined);
    assert.equal(logged('canary promoted').length, 1);
  });

  it('is counted apart from the other releases by both, with web vitals', async () => {
    await startCanary(releases, '2.0.0', rules);
    await followed();
    for (let i = 0; i < 4; i += 1) await visit(i % 2, i < 3 ? '1.0.0' : '2.0.0');
    await Promise.all([fail(0, '2.0.0'), fail(1, '2.0.0')]);
    // No visitor gets these.
    await visit(0, '9.9.9');
    await visit(0, '1.0.0', 'mf-none');
    for (const gateway of [0, 1]) {
      const vitals = [{ name: 'LCP', value: 900, remote: 'mf-clinic', version: '2.0.0' }];
      assert.equal((await send(gateway, '/page-visits', { visits: [], vitals })).status, 204);
    }
    await waitUntil(async () => {
      const { '1.0.0': old, '2.0.0': next } = await readFigures(releases);
      return old?.visits === 3 && next?.errors === 2 && next.vitals.LCP.reduce((sum, count) => sum + count, 0) === 2;
    });
    const figures = await readFigures(releases);
    assert.deepEqual(Object.keys(figures).toSorted(), ['1.0.0', '2.0.0']);
    const next = figures['2.0.0'] ?? assert.fail();
    assert.deepEqual([next.visits, p75(next, 'LCP'), p75(next, 'INP')], [1, 750 + 250 * 0.75, undefined]);
    assert.equal(figures['1.0.0']?.errors, 0);
  });

  it('is counted apart from the shell, whose releases are found by their main script', async () => {
    const shell = await mkdtemp(path.join(root, 'shell-'));
    const script = 'main.0123456789abcdef0123.js';
    const html = `<head><title>Clinic</title><script defer src="/shell/${script}"></script></head>`;
    await writeFile(path.join(shell, 'index.html'), html);
    const folder = path.join(path.dirname(releases), 'shell');
    const front = await startStaticServer({ directory: shell, releases: folder, port: 0, pollMs: 10 });
    const env = { REMOTES: `mf-clinic=${server.url}`, SHELL_URL: front.url, RELEASES_DIR: path.dirname(releases) };
    const start = () => startGateway(env, { pollEveryMs: 50, onLog: (line) => void lines.push(line) });
    gateways = [...gateways, ...(await Promise.all([start(), start()]))];
    for (const gateway of [2, 2, 3]) await visit(gateway, script, 'shell');
    await fail(3, script, 'shell');
    await visit(2, 'main.ffffffffffffffffffff.js', 'shell');
    const { deployed = '' } = await readReleases(folder);
    await waitUntil(async () => {
      const { [deployed]: figures } = await readFigures(folder);
      return figures?.visits === 3 && figures.errors === 1;
    });
    assert.deepEqual(Object.keys(await readFigures(folder)), [deployed]);
    await front.close();
  });

  it('isn’t served if its release is not a build of this remote', async () => {
    await writeFile(path.join(releases, '2.0.0', 'remote.json'), '{"name":"mf-other"}');
    await startCanary(releases, '2.0.0', rules);
    await waitUntil(() => logged('canary can’t be served').length === 2);
    const { headers, text } = await ask(url(0), page);
    assert.deepEqual([headers['set-cookie'], versionIn(text)], [undefined, '1.0.0']);
  });
});
