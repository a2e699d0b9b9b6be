import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Answer } from '../testing/servers.ts';
import { realProject, startGateway } from '../testing/start-gateway.ts';

const lines: Record<string, unknown>[] = [];
const gateway = await startGateway({ TRUST_PROXY: 'true' }, { onLog: (line) => lines.push(line) });
after(() => gateway.close());

const report = (
  body: unknown,
  { from = '203.0.113.1', type = 'application/csp-report', site = 'same-origin', method = 'POST' } = {},
): Promise<Answer> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return gateway.ask('/policy-reports', {
    method,
    body: text,
    headers: {
      'Content-Type': type,
      'Content-Length': String(Buffer.byteLength(text)),
      'Sec-Fetch-Site': site,
      'X-Forwarded-For': from,
    },
  });
};

/** The log lines about violations since the last call, without the common fields. */
const logged = (): unknown[] =>
  lines
    .splice(0)
    .filter(({ msg }) => msg === 'policy report')
    .map(({ directive, disposition, page, blocked, at, sink }) => ({
      directive,
      disposition,
      page,
      blocked,
      ...(at !== undefined && { at }),
      ...(sink !== undefined && { sink }),
    }));

const counted = async (labels: string): Promise<number> =>
  Number(
    new RegExp(String.raw`^gateway_policy_reports_total\{${labels}\} (\d+)$`, 'm').exec(
      await gateway.gateway.metrics.registry.metrics(),
    )?.[1] ?? 0,
  );

/** A report as browsers send it, with all they know about the page. */
const csp = {
  'document-uri': 'https://clinic.example/ourDoctors?q=Quxworthy&token=s3cret',
  referrer: 'https://clinic.example/users/ann@mail.example',
  'violated-directive': 'img-src',
  'effective-directive': 'img-src',
  'original-policy': "default-src 'none'",
  disposition: 'enforce',
  'blocked-uri': 'http://pictures.example/Ann-Lee.png?id=7',
  'line-number': 3,
  'column-number': 14,
  'source-file': 'https://clinic.example/shell/main.0123456789abcdef0123.js',
  'status-code': 200,
  'script-sample': 'Ann Lee',
};
const single = { 'csp-report': csp };
const changed = (fields: Record<string, unknown>) => ({ 'csp-report': { ...csp, ...fields } });

describe('policy violation reports', () => {
  it('are enabled on every page', async () => {
    for (const path of ['/', '/login', '/no/such/page']) {
      const { headers } = await gateway.ask(path, { headers: { Accept: 'text/html' } });
      assert.match(String(headers['content-security-policy']), /; report-uri \/policy-reports$/, path);
    }
    await using real = await startGateway(realProject);
    const { headers } = await real.ask('/');
    for (const name of ['content-security-policy', 'content-security-policy-report-only'])
      assert.match(String(headers[name]), /; report-uri \/policy-reports$/, name);
  });

  it('are logged and counted', async () => {
    assert.equal((await report(single)).status, 204);
    assert.deepEqual(logged(), [
      {
        directive: 'img-src',
        disposition: 'enforce',
        page: '/ourDoctors',
        blocked: 'http://pictures.example',
        at: 'shell/main.0123456789abcdef0123.js:3:14',
      },
    ]);
    assert.equal(await counted('directive="img-src",disposition="enforce"'), 1);
    const typed = changed({
      'document-uri': 'https://clinic.example/login#Ann-Lee',
      'effective-directive': 'require-trusted-types-for',
      disposition: 'report',
      'blocked-uri': 'trusted-types-sink',
      'script-sample': 'Element innerHTML|<b>Ann Lee</b>',
      'source-file': 'https://apis.google.com/js/api.js',
    });
    assert.equal((await report(typed)).status, 204);
    assert.deepEqual(logged(), [
      {
        directive: 'require-trusted-types-for',
        disposition: 'report',
        page: '/login',
        blocked: 'trusted-types-sink',
        sink: 'Element innerHTML',
      },
    ]);
    assert.equal(await counted('directive="require-trusted-types-for",disposition="report"'), 1);
  });

  it('log no personal data, whatever a browser or an attacker sends', async () => {
    const name = 'Ann-Lee';
    for (const body of [
      single,
      changed({ 'document-uri': `https://clinic.example/users/${name}` }),
      changed({ 'document-uri': name }),
      changed({ 'blocked-uri': name }),
      changed({ 'blocked-uri': `https://clinic.example/${name}` }),
      changed({ 'blocked-uri': `data:text/plain,${name}` }),
      changed({ 'blocked-uri': `chrome-extension://${name}/x.js` }),
      changed({ 'effective-directive': name }),
      changed({ disposition: name }),
      changed({ 'source-file': `https://clinic.example/${name}/shell/${name}.js` }),
      changed({ 'source-file': `https://clinic.example/mf/${name}/x.0123456789abcdef.js` }),
      changed({ 'script-sample': name }),
      changed({ 'blocked-uri': 'inline', 'script-sample': 'Ann Lee|x' }),
    ])
      assert.equal((await report(body, { from: '203.0.113.2' })).status, 204, JSON.stringify(body));
    const all = JSON.stringify(lines);
    assert.equal(logged().length, 13);
    assert.doesNotMatch(all, /Ann|Lee|Quxworthy|s3cret|mail\.example|Quxzilla/i);
    assert.doesNotMatch(await gateway.gateway.metrics.registry.metrics(), /Ann|Lee/i);
  });

  it('are rejected if they are malformed, cross-site or too long', async () => {
    const from = '203.0.113.3';
    for (const body of [
      '',
      'not json',
      '"x"',
      '{}',
      '{"csp-report":{}}',
      JSON.stringify({ 'csp-report': { ...single['csp-report'], 'document-uri': 7 } }),
      JSON.stringify({ ...single, more: 'x'.repeat(70_000) }),
    ]) {
      assert.equal((await report(body, { from })).status, 400, body.slice(0, 60));
    }
    assert.equal((await report(single, { from, site: 'cross-site' })).status, 403);
    assert.equal((await report(single, { from, site: 'none' })).status, 403);
    assert.equal((await report('', { from, method: 'GET' })).status, 405);
    assert.deepEqual(logged(), []);
  });

  it('from one network can’t fill the log or crowd out other reports', async () => {
    const flood = await Promise.all(
      Array.from({ length: 80 }, (_, one) => report(single, { from: `2001:db8:1:2::${one.toString(16)}` })),
    );
    assert.deepEqual(
      [204, 429].map((status) => flood.filter((answer) => answer.status === status).length),
      [30, 50],
    );
    assert.equal(logged().length, 30);
    assert.equal((await report(single, { from: '2001:db8:1:3::1' })).status, 204);
  });
});
