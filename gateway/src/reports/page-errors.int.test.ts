import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { GatewayRequest } from '../server/gateway-request.ts';
import { originOf } from '../server/origin.ts';
import { createMetrics } from '../operators/metrics.ts';
import { pageErrors } from './page-errors.ts';
import { takeReports } from './visitor-reports.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const report = {
  kind: 'away',
  remote: 'mf-clinic',
  version: '1.0.0+5fd4af00',
  page: '/appoinment/:_id',
  error: 'ChunkLoadError',
  at: ['module.0aeea0ad8bc7a2b973c3.js:1:2345'],
};

describe('page errors', () => {
  let server: Server;
  let url: string;
  const lines: Record<string, unknown>[] = [];
  /** What was counted for a canary. */
  const counts: unknown[] = [];
  const metrics = createMetrics();
  const { pageErrors: counter } = metrics;

  before(async () => {
    const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
    const registry = { paths: [report.page], pageAt: () => undefined };
    const frontEnd = (name: string, version: string) => ({
      versions: [version],
      count: (...counted: unknown[]) => void counts.push([name, ...counted]),
    });
    const frontEnds = new Map([
      ['mf-clinic', frontEnd('mf-clinic', report.version)],
      ['shell', frontEnd('shell', 'main.0aeea0ad8bc7a2b973c3.js')],
    ]);
    const take = takeReports(pageErrors, { log, metrics, registry, frontEnds });
    server = createServer({ IncomingMessage: GatewayRequest }, (req, res) => {
      req.origin = originOf(req, { trustProxy: true, publicUrl: '', scope: 'off' });
      take(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page-errors`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': 'a', ...headers },
    });

  it('are logged with the remote’s name and version', async () => {
    assert.equal((await send(report)).status, 204);
    const [line] = lines.splice(0);
    assert.ok(line);
    const { kind, remote, version, page, error, at, msg } = line;
    assert.deepEqual({ kind, remote, version, page, error, at, msg }, { ...report, msg: 'page error' });
  });

  it('can’t carry names or anything a person typed', async () => {
    for (const wrong of [
      { ...report, page: '/appoinment/ann@mail.example' },
      { ...report, error: 'No patient Ann Lee' },
      { ...report, at: ['Ann Lee'] },
      { ...report, kind: 'Ann' },
      { ...report, remote: 'Ann Lee' },
      'not json',
      '"x"',
      '',
      JSON.stringify({ ...report, at: ['x'.repeat(5000)] }),
    ])
      assert.equal((await send(wrong)).status, 400, JSON.stringify(wrong));
    assert.equal((await send({ ...report, message: 'Ann Lee' })).status, 204);
    assert.equal((await send({ ...report, page: '/appoinment/Ann-Lee' })).status, 204);
    assert.deepEqual(
      lines.map(({ page }) => page),
      [report.page, '[unknown]'],
    );
    assert.doesNotMatch(JSON.stringify(lines.splice(0)), /Ann/);
  });

  it('are counted by published remotes and versions, whatever a browser claims', async () => {
    counter.reset();
    for (const claimed of [
      report,
      { ...report, version: '9.9.9' },
      { ...report, remote: 'mf-nobody' },
      { kind: 'broken', page: report.page },
    ])
      assert.equal((await send(claimed, { 'x-forwarded-for': 'd' })).status, 204);
    lines.splice(0);
    assert.deepEqual(
      (await counter.get()).values.map(({ labels, value }) => [labels, value]),
      [
        [{ kind: 'away', remote: 'mf-clinic', version: report.version }, 1],
        [{ kind: 'away', remote: 'mf-clinic', version: 'other' }, 1],
        [{ kind: 'away', remote: 'unknown', version: '' }, 1],
        [{ kind: 'broken', remote: 'shell', version: '' }, 1],
      ],
    );
  });

  it('count once per page load, for the remote they name', async () => {
    counts.splice(0);
    const version = 'main.0aeea0ad8bc7a2b973c3.js';
    for (const body of [
      { ...report, kind: 'broken', first: true },
      { ...report, kind: 'broken' },
      { ...report, kind: 'outdated', first: true },
      { kind: 'broken', remote: 'shell', version, first: true },
      { kind: 'broken', first: true },
    ])
      assert.equal((await send(body, { 'x-forwarded-for': 'e' })).status, 204);
    lines.splice(0);
    assert.deepEqual(counts, [
      ['mf-clinic', report.version, 'error', 'e'],
      ['shell', version, 'error', 'e'],
      ['shell', undefined, 'error', 'e'],
    ]);
  });

  it('are only accepted from our own pages', async () => {
    assert.equal((await send(report, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await fetch(url)).status, 405);
    assert.deepEqual(lines.splice(0), []);
  });

  it('from one address can’t fill the log or crowd out other reports', async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, () => send(report, { 'x-forwarded-for': 'b' })));
    assert.equal(answers.filter(({ status }) => status === 204).length, 30);
    assert.equal(answers.filter(({ status }) => status === 429).length, 50);
    assert.equal(lines.splice(0).length, 30);
    assert.equal((await send(report, { 'x-forwarded-for': 'c' })).status, 204);
  });
});
