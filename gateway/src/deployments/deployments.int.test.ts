import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Registry } from '@clinic/contracts/remotes';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { GatewayOrders, GatewayReport } from '@clinic/service-kit/deployments/gateway-report';
import { gatewayReportsPath } from '@clinic/service-kit/deployments/gateway-report';
import { startStaticServer, type StaticServer } from '@clinic/static-server';
import { runReleaseCommand } from '@clinic/static-server/release-command';
import { ask, serveAll, type Answer, type TestServer } from '../testing/servers.ts';
import { emptyFolder } from '../testing/remembered.ts';
import { clinicRemote, shellHtml, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const page = '/appoinment/1';

describe('releases behind two gateways', () => {
  let root: string;
  let releases: string;
  let server: StaticServer;
  let identity: TestServer;
  let gateways: TestGateway[] = [];
  let lines: Record<string, unknown>[];
  /** What svc-identity answers; without it, 503. */
  let orders: GatewayOrders | undefined;
  let reports: GatewayReport[];

  async function write(version: string): Promise<string> {
    const folder = path.join(root, `build-${version}`);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'remote.json'), JSON.stringify(clinicRemote(version)));
    return folder;
  }

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'gateway-releases-'));
    identity = await serveAll((req, res) => {
      if (req.url !== gatewayReportsPath || !orders)
        return void res.writeHead(req.url === gatewayReportsPath ? 503 : 404).end();
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        reports.push(JSON.parse(body) as GatewayReport);
        res.setHeader('content-type', 'application/json').end(JSON.stringify(orders));
      });
    });
  });
  after(async () => {
    await identity.close();
    await rm(root, { recursive: true, force: true });
  });

  const start = (env: Record<string, string> = {}) =>
    startGateway(
      { REMOTES: `mf-clinic=${server.url}`, ...env },
      { services: { identity: identity.url }, pollEveryMs: 50, onLog: (line) => void lines.push(line) },
    );

  beforeEach(async () => {
    releases = await mkdtemp(path.join(root, 'releases-'));
    server = await startStaticServer({ directory: await write('1.0.0'), releases, port: 0, pollMs: 10 });
    await runReleaseCommand(releases, 'add', [await write('2.0.0')]);
    lines = [];
    reports = [];
    orders = { frontEnds: {} };
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
  /** What each gateway has last reported about a front-end. */
  const does = (name = 'mf-clinic') =>
    [...Map.groupBy(reports, ({ gateway }) => gateway).values()].map((of) => of.at(-1)?.frontEnds[name]);
  const startCanary = (): void => {
    orders = { frontEnds: { 'mf-clinic': { canary: { id: 7, version: '2.0.0', share: 0.5 } } } };
  };
  const followed = () => waitUntil(() => does().filter((one) => one?.canary === 7).length === 2);

  it('are reported as their server keeps them, with what visitors get', async () => {
    await waitUntil(() => does().filter((one) => one?.kept?.releases.length === 2).length === 2);
    for (const one of does()) {
      assert.equal(one?.serves, '1.0.0');
      assert.equal(one?.kept?.deployed.version, '1.0.0');
      assert.deepEqual(
        one?.kept?.releases.map(({ version }) => version),
        ['2.0.0', '1.0.0'],
      );
    }
  });

  it('are not for visitors: neither their list nor their files', async () => {
    for (const file of ['releases.json', 'releases/2.0.0/remote.json'])
      for (const headers of [{}, { 'clinic-releases': 'read' }] as Record<string, string>[])
        assert.equal((await ask(url(0), `/mf/mf-clinic/${file}`, { headers })).status, 404, file);
    assert.equal((await ask(url(0), gatewayReportsPath, { method: 'POST', body: '{}' })).status, 405);
  });

  it('are served as decided, after a restart without svc-identity too', async () => {
    using remembered = emptyFolder();
    const note = 'pinned by a rollback from 1.0.0 until the next deployment: 2.0.0 is served, 1.0.0 was deployed last';
    orders = { frontEnds: { 'mf-clinic': { served: { version: '2.0.0', note } } } };
    await waitUntil(() => does().filter((one) => one?.serves === '2.0.0').length === 2);
    assert.equal(await versionFor(0, 1), '2.0.0');
    const { gateway } = gateways[0] ?? assert.fail();
    assert.match(gateway.health().parts['mf-clinic'] ?? '', /^ok, version 2\.0\.0; .*; pinned by a rollback/);
    assert.match(await gateway.metrics.registry.metrics(), /^gateway_release_pinned\{target="mf-clinic"\} 1$/m);
    const first = await start({ PUBLICATIONS_DIR: remembered.path });
    await first.close();
    orders = undefined;
    const second = await start({ PUBLICATIONS_DIR: remembered.path });
    assert.equal(versionIn((await second.ask('/registry.json')).text), '2.0.0');
    await second.close();
    await waitUntil(
      () => logged('svc-identity doesn’t say which releases to serve, keeping what it said last').length > 1,
    );
    assert.equal(await versionFor(1, 1), '2.0.0');
    orders = { frontEnds: {} };
    await waitUntil(async () => (await versionFor(0, 1)) === '1.0.0' && (await versionFor(1, 1)) === '1.0.0');
    assert.match(await gateway.metrics.registry.metrics(), /^gateway_release_pinned\{target="mf-clinic"\} 0$/m);
  });

  it('go as a canary to the same share of visitors at both, page and registry alike', async () => {
    const before = await ask(url(0), page);
    assert.equal(before.headers['set-cookie'], undefined);
    assert.deepEqual([before.headers.vary, before.headers['cache-control']], ['Accept-Encoding', 'no-cache']);
    startCanary();
    await followed();
    const seen = new Map<string, number>();
    for (let group = 0; group < 100; group += 1) {
      const version = await versionFor(0, group);
      assert.equal(await versionFor(1, group), version, `group ${group}`);
      const { remotes } = (await ask(url(1), '/registry.json', { headers: asGroup(group) })).json<Registry>();
      assert.equal(remotes[0]?.version, version);
      seen.set(version ?? '', (seen.get(version ?? '') ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(seen), { '1.0.0': 50, '2.0.0': 50 });
  });

  it('give a new browser one of a hundred groups, and tells caches that pages vary', async () => {
    startCanary();
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

  it('are counted apart by both', async () => {
    startCanary();
    await followed();
    for (let i = 0; i < 4; i += 1) await visit(i % 2, i < 3 ? '1.0.0' : '2.0.0');
    await Promise.all([fail(0, '2.0.0'), fail(1, '2.0.0')]);
    // No visitor gets these.
    await visit(0, '9.9.9');
    await visit(0, '1.0.0', 'mf-none');
    await waitUntil(
      () => figuresOf('mf-clinic', '2.0.0', 7).errors === 2 && figuresOf('mf-clinic', '1.0.0').visits === 3,
    );
    assert.equal(figuresOf('mf-clinic', '2.0.0', 7).visits, 1);
    // All from this machine.
    const sent = reports.flatMap(({ frontEnds }) => frontEnds['mf-clinic']?.figures ?? []);
    assert.ok(sent.every(({ networks, otherErrors }) => networks === 1 && otherErrors === 0));
    assert.deepEqual(figuresOf('mf-clinic', '1.0.0'), { visits: 3, errors: 0 });
  });

  /** The sum of what all gateways last reported about a release. */
  function figuresOf(name: string, version: string, canary = 0) {
    const last = new Map(
      reports.flatMap(({ gateway, frontEnds }) =>
        (frontEnds[name]?.figures ?? []).map((of) => [`${gateway} ${of.version} ${of.canary}`, of] as const),
      ),
    );
    const all = [...last.values()].filter((of) => of.version === version && of.canary === canary);
    const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0);
    return {
      visits: sum(({ visits }) => visits),
      errors: sum(({ errors }) => errors),
    };
  }

  it('are counted for the shell too, which is found by its main script, and served as decided', async () => {
    const builds = await mkdtemp(path.join(root, 'shell-'));
    const scriptOf = (digit: number): string => `main.${String(digit).repeat(20)}.js`;
    const pages = [1, 2].map((digit) =>
      shellHtml.replace('</head>', `<script defer src="/shell/${scriptOf(digit)}"></script></head>`),
    );
    for (const [place, html] of pages.entries()) {
      const folder = path.join(builds, String(place + 1));
      await mkdir(folder);
      await writeFile(path.join(folder, 'index.html'), html);
      await writeFile(path.join(folder, scriptOf(place + 1)), '');
    }
    const folder = path.join(builds, 'releases');
    const front = await startStaticServer({ directory: path.join(builds, '1'), releases: folder, port: 0, pollMs: 10 });
    await runReleaseCommand(folder, 'add', [path.join(builds, '2')]);
    gateways = [...gateways, await start({ SHELL_URL: front.url })];
    const both = () => does('shell').find((one) => one?.kept?.releases.length === 2)?.kept ?? false;
    const kept = await waitUntil(both);
    const other = kept.releases.find(({ version }) => version !== kept.deployed.version)?.version ?? '';
    for (const script of [scriptOf(1), scriptOf(1), scriptOf(2)]) await visit(2, script, 'shell');
    await waitUntil(() => figuresOf('shell', kept.deployed.version).visits === 2);
    assert.equal(figuresOf('shell', other).visits, 0);
    orders = { frontEnds: { shell: { served: { version: other, note: 'pinned' } } } };
    await waitUntil(() => does('shell').some((one) => one?.serves === other));
    assert.match((await ask(url(2), page)).text, new RegExp(scriptOf(2)));
    await front.close();
  });

  it('aren’t served if they can’t be read or aren’t builds of this remote, and the report says so', async () => {
    orders = { frontEnds: { 'mf-clinic': { canary: { id: 7, version: '3.0.0', share: 0.5 } } } };
    await waitUntil(() => does().filter((one) => one?.trouble?.includes('status 404')).length === 2);
    const folder = path.join(root, 'build-other');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'remote.json'), '{"name":"mf-other","version":"3.0.0"}');
    await runReleaseCommand(releases, 'add', [folder]);
    await waitUntil(
      () => does().filter((one) => one?.trouble !== undefined && !one.trouble.includes('404')).length === 2,
    );
    const { headers, text } = await ask(url(0), page);
    assert.deepEqual([headers['set-cookie'], versionIn(text)], [undefined, '1.0.0']);
  });
});
