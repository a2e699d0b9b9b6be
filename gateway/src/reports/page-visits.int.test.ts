import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { serve } from '../testing/servers.ts';
import { publicRemote, startGateway } from '../testing/start-gateway.ts';

const { name: remote, version } = publicRemote;

const page = '<head><title>Clinic</title><script defer src="/shell/main.0123.js"></script></head>';
const shell = await serve((_req, res) => res.end(page));
const gateway = await startGateway({ SHELL_URL: shell.url, TRUST_PROXY: 'true', DEMO_MODE_SAID: 'true' });
after(async () => {
  await gateway.close();
  await shell.close();
});

describe('page visits', () => {
  const send = async (report: unknown, headers: Record<string, string> = {}): Promise<number> => {
    const body = typeof report === 'string' ? report : JSON.stringify(report);
    const sent = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '192.0.2.1', ...headers };
    return (await gateway.ask('/page-visits', { method: 'POST', headers: sent, body })).status;
  };

  /** A metric's lines with a value other than 0, without its name. */
  const series = async (metric: string): Promise<string[]> =>
    (await gateway.gateway.metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`${metric}{`) && !line.endsWith(' 0'))
      .map((line) => line.slice(metric.length));

  it('are counted by published remotes and versions, whatever a browser claims', async () => {
    const visits = [
      { remote, version },
      { remote, version: '9.9.9' },
      { remote: 'mf-nobody', version: '1' },
      { remote },
    ];
    assert.equal(await send({ visits, vitals: [] }), 204);
    assert.equal(await send({ visits: [{ remote, version }], vitals: [] }), 204);
    assert.deepEqual(await series('gateway_page_visits_total'), [
      '{remote="mf-public",version="1.0.0"} 2',
      '{remote="mf-public",version="other"} 1',
      '{remote="unknown",version=""} 1',
      '{remote="mf-public",version=""} 1',
    ]);
  });

  it('report web vitals for the remote whose element it was', async () => {
    const vitals = [
      { name: 'LCP', value: 1200, remote, version },
      { name: 'INP', value: 80, remote: 'shell', version: 'main.0123.js' },
      { name: 'CLS', value: 0.02, remote: 'unknown' },
    ];
    assert.equal(await send({ visits: [], vitals }), 204);
    assert.deepEqual(await series('gateway_page_lcp_seconds_sum'), ['{remote="mf-public",version="1.0.0"} 1.2']);
    assert.deepEqual(await series('gateway_page_inp_seconds_sum'), ['{remote="shell",version="main.0123.js"} 0.08']);
    assert.deepEqual(await series('gateway_page_cls_sum'), ['{remote="unknown",version=""} 0.02']);
  });

  it('can’t carry anything else', async () => {
    for (const wrong of [
      {},
      { visits: [{ remote: 'Ann Lee' }], vitals: [] },
      { visits: [], vitals: [{ name: 'LCP', value: -1, remote }] },
      { visits: [], vitals: [{ name: 'TTFB', value: 1, remote }] },
      { visits: Array.from({ length: 21 }, () => ({ remote })), vitals: [] },
      'no JSON',
      JSON.stringify({ visits: [], vitals: [], name: 'x'.repeat(5000) }),
    ])
      assert.equal(await send(wrong), 400, JSON.stringify(wrong));
    assert.equal(await send({ visits: [], vitals: [] }, { 'sec-fetch-site': 'cross-site' }), 403);
  });

  it('from one network can’t crowd out those of others', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const statuses = await Promise.all(Array.from({ length: 310 }, () => send({ visits: [], vitals: [] }, from)));
    assert.equal(statuses.filter((status) => status === 204).length, 300);
    assert.equal(statuses.filter((status) => status === 429).length, 10);
    assert.equal(await send({ visits: [], vitals: [] }, { 'x-forwarded-for': '203.0.113.9' }), 204);
  });
});
