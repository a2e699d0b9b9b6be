// The balancer of the containers, with its own configuration, in front of gateways that stand for an old and a new one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { findDebianProgram, withLibraries } from '../support/debian-program.ts';

const haproxy = await findDebianProgram('haproxy', 'usr/sbin/haproxy');
const skip = haproxy === undefined ? 'needs HAProxy (Debian: apt-get install haproxy)' : false;
const example = await readFile(join(import.meta.dirname, '../../../docker/balancer/haproxy.cfg'), 'utf8');

describe('the balancer', { skip }, () => {
  const opened = new AsyncDisposableStack();
  /** What visitors asked the gateways for: `old GET /path`. */
  const asked: string[] = [];
  /** Who checked the gateways. */
  const checkedBy = new Set<string | undefined>();
  /** Checks that are told of a stop: `old clinic-balancer/gateways`. */
  const told = new Set<string>();
  let url: string;
  let stats: string;
  let stopping: Server;

  /** @param known - the paths below which it has something; below `/records` a service has nothing */
  async function startGateway(name: string, known: readonly string[]): Promise<Server> {
    const server = createServer((req, res) => {
      if (req.url === '/health/ready') {
        const by = req.headers['user-agent'];
        checkedBy.add(by);
        res.writeHead(told.has(`${name} ${by}`) ? 404 : 200).end();
        return;
      }
      asked.push(`${name} ${req.method} ${req.url}`);
      const mayAsk = req.headers['clinic-ask-elsewhere'] !== undefined;
      res.statusCode = known.some((path) => req.url?.startsWith(path))
        ? 200
        : mayAsk && !req.url?.startsWith('/records')
          ? 425
          : 404;
      res.end(name);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }
  const ask = async (path: string, method = 'GET'): Promise<number> => (await fetch(url + path, { method })).status;
  /** How many of the gateways each list of the balancer uses. */
  const working = async (): Promise<readonly number[]> => {
    const lines = (await (await fetch(`${stats}/stats;csv`)).text()).split('\n').map((line) => line.split(','));
    return Object.values(Object.groupBy(lines, ([list = '']) => list))
      .map((list = []) => list.filter(([, name]) => name?.startsWith('gateway')))
      .filter((list) => list.length > 0)
      .map((list) => list.filter((line) => line.some((field) => field.startsWith('UP'))).length);
  };

  before(async () => {
    const [before, now] = [await startGateway('old', ['/mf/mf-clinic']), await startGateway('new', ['/mf/'])];
    stopping = before;
    opened.defer(() => [before, now].forEach((server) => server.close().closeAllConnections()));
    const folder = await mkdtemp(join(tmpdir(), 'clinic-balancer-'));
    opened.defer(() => rm(folder, { recursive: true }));
    const [port, operators] = [await holdPort(), await holdPort()];
    url = `http://127.0.0.1:${port}`;
    stats = `http://127.0.0.1:${operators}`;
    const servers = [before, now].map(
      (server, index) => `server gateway${index + 1} 127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    const config = example
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace('bind :8404', `bind 127.0.0.1:${operators}`)
      .replaceAll('server-template gateway 8 gateway:8080', servers.join('\n    '));
    assert.ok(!config.includes('gateway:8080'));
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, config);
    const program = haproxy ?? '';
    const child = spawn(program, ['-f', file], { stdio: ['ignore', 'ignore', 'inherit'], env: withLibraries(program) });
    const ended = once(child, 'exit');
    opened.defer(async () => {
      if (child.kill()) await ended;
    });
    await waitUntil(async () => assert.deepEqual(await working(), [2, 2]));
  });
  beforeEach(() => void asked.splice(0));
  after(() => opened.disposeAsync());

  test('asks another gateway for what one does not know: both run while a gateway is replaced', async () => {
    for (let visit = 0; visit < 20; visit += 1)
      assert.equal(await ask(`/mf/mf-lab-results/entry.${visit}.js`), 200, `visit ${visit}`);
    assert.ok(asked.some((line) => line.startsWith('old ')));
  });

  test('says that something is missing once another gateway has said so, too', async () => {
    assert.equal(await ask('/nowhere'), 404);
    assert.deepEqual(new Set(asked), new Set(['old GET /nowhere', 'new GET /nowhere']));
  });

  test('asks only once for what a service doesn’t have: no other gateway could tell more', async () => {
    assert.equal(await ask('/records/1'), 404);
    assert.equal(asked.length, 1);
  });

  test('lets no visitor ask a gateway to be sent elsewhere', async () => {
    const headers = { 'clinic-ask-elsewhere': '1' };
    assert.equal((await fetch(`${url}/nowhere`, { method: 'DELETE', headers })).status, 404);
  });

  test('never repeats a change', async () => {
    for (let change = 0; change < 4; change += 1) await ask(`/nowhere/${change}`, 'POST');
    assert.equal(asked.length, 4);
  });

  test('checks each gateway under a name for each list: a stopping one waits until all have noticed', async () => {
    // Until its first check, the balancer takes a gateway to work.
    await waitUntil(() =>
      assert.deepEqual(checkedBy, new Set(['clinic-balancer/gateways', 'clinic-balancer/unlike-gateways'])),
    );
  });

  for (const [gateway, list, left] of [
    ['old', 'gateways', [1, 2]],
    ['old', 'unlike-gateways', [2, 1]],
    ['new', 'gateways', [1, 2]],
    ['new', 'unlike-gateways', [2, 1]],
  ] as const)
    test(`reads a page and its files from the same gateways while only ${list} lack the ${gateway} one`, async () => {
      told.add(`${gateway} clinic-balancer/${list}`);
      await waitUntil(async () => assert.deepEqual(await working(), left));
      for (let visit = 0; visit < 20; visit += 1) {
        const isNew = (await (await fetch(`${url}/mf/mf-clinic/page`)).text()) === 'new';
        if (isNew) assert.equal(await ask(`/mf/mf-lab-results/entry.${visit}.js`), 200, `visit ${visit}`);
      }
      told.clear();
      await waitUntil(async () => assert.deepEqual(await working(), [2, 2]));
    });

  test('asks one gateway alone only once', async () => {
    stopping.close().closeAllConnections();
    await waitUntil(async () => assert.deepEqual(await working(), [1, 1]));
    assert.equal(await ask('/nowhere'), 404);
    assert.deepEqual(asked, ['new GET /nowhere']);
  });
});
