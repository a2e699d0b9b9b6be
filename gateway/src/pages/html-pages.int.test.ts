import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServerResponse } from 'node:http';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import {
  about,
  hashOf,
  isHtml,
  openSite,
  shell,
  starter,
  withHtml,
  type Parts,
  type Visit,
} from '../testing/html-site.ts';
import { publicRemote, shellHtml } from '../testing/start-gateway.ts';

describe('pages as HTML', () => {
  it('are for visitors without a session', async () => {
    await using site = await openSite();
    for (const cookie of ['clinic_session=x', 'a=1; __Host-clinic_refresh=x', 'signed_in=1; b=2']) {
      const { text, headers } = await site.open('/about', cookie);
      assert.ok(!isHtml(text), cookie);
      assert.match(text, /<script defer src="\/shell\/main\.js"/);
      assert.equal(headers['vary'], 'Accept-Encoding, Cookie');
    }
    assert.ok(isHtml((await site.open('/about', 'theme=dark; not_signed_in=1')).text));
  });

  it('are not for developers, whose local builds may stand in for what they show', async () => {
    await using site = await openSite({ settings: { REMOTE_OVERRIDES: 'true' } });
    assert.ok(!isHtml((await site.open('/about')).text));
  });

  it('get the answers of public calls, asked without the visitor’s cookies, and their facts', async () => {
    const asked: (string | undefined)[] = [];
    const visits: Visit[] = [];
    await using site = await openSite({
      clinic(req, res) {
        if (req.url !== '/doctors?q=a') return void res.writeHead(404).end();
        asked.push(req.headers.cookie, req.headers.authorization);
        res.setHeader('X-Total-Count', '1');
        res.setHeader('Set-Cookie', 'secret=1');
        res.end('["Amina"]');
      },
      render(visit) {
        visits.push(visit);
        const answer = visit.answers['/doctors?q=a'];
        if (!answer) return { needs: ['/doctors?q=a'] };
        assert.deepEqual(answer.headers, { 'x-total-count': '1' });
        return { html: `<p>${answer.body}</p>`, facts: [{ '@type': 'Physician', name: '</script>' }] };
      },
    });
    const { text } = await site.open('/ourDoctors?q=a', 'theme=dark');
    assert.ok(text.includes('<p>["Amina"]</p>'));
    assert.match(text, /"@type":"Physician","name":"\\u003c\/script>"/);
    assert.deepEqual(asked, [undefined, undefined]);
    assert.deepEqual(
      visits.map(({ page, url, version }) => [page, url, version]),
      [
        ['/ourDoctors', '/ourDoctors?q=a', '1.0.0'],
        ['/ourDoctors', '/ourDoctors?q=a', '1.0.0'],
      ],
    );
    assert.equal((JSON.parse(visits[0]?.config ?? '') as { clinicTimeZone: string }).clinicTimeZone, 'Asia/Dhaka');
    // The next visitor gets the same within seconds.
    assert.equal((await site.open('/ourDoctors?q=a')).text, text);
    assert.equal(visits.length, 2);
  });

  it('come whatever people have written into their records', async () => {
    const written =
      '<img src="javascript:alert(1)" alt="x onload="><input value="a style="><p> onload=1 on x=&quot;1&quot; style=&quot;&quot; &lt;script&gt; javascript:</p>';
    await using site = await openSite({ render: () => ({ html: written, facts: [] }) });
    assert.ok((await site.open('/ourDoctors')).text.includes(written));
  });

  it('are rendered once for visitors who come together, and for each address', async () => {
    let rendered = 0;
    await using site = await openSite({
      render: ({ url }) => ({ html: `<p>${url}</p>`, facts: [], n: (rendered += 1) }),
    });
    const paths = ['/ourDoctors?q=a', '/ourDoctors?q=a', '/ourDoctors?q=b'];
    const pages = await Promise.all(paths.map((path) => site.open(path)));
    for (const [index, { text }] of pages.entries()) assert.ok(text.includes(`<p>${paths[index]}</p>`));
    assert.equal(rendered, 2);
  });

  const unfit: Readonly<Record<string, Parts>> = {
    'the shell is of an earlier release': { shell: shellHtml },
    'the shell has no starter': { shell: shell.replace(starter, '') },
    'the remote is of an earlier release': { published: publicRemote },
    'its file was altered': { file: `${about} ` },
    'its file is missing': {
      published: { ...withHtml, html: { '/about': { file: 'gone.html', integrity: hashOf(about) } } },
    },
  };
  for (const [why, parts] of Object.entries(unfit))
    it(`give way to the page that scripts draw if ${why}`, async () => {
      await using site = await openSite(parts);
      const { text, status } = await site.open('/about');
      assert.equal(status, 200);
      assert.ok(!isHtml(text));
      assert.doesNotMatch(text, /<template|later-scripts|start\.js/);
    });

  const active = [
    '<script>1</script>',
    '<img src="x" onerror="alert(1)">',
    '<p style="position:fixed">',
    '<a href="javascript:alert(1)">',
    '<iframe src="/"></iframe>',
    '<link rel="stylesheet" href="/x.css">',
    '<meta http-equiv="refresh" content="0">',
    '<base href="//evil.example/">',
    '<p onclick=alert(1)>',
    '</p><SCRIPT src=x>',
  ].map((html) => [html, { html, facts: [] }] as const);
  const wrong = [
    ['no page', {}],
    ['too long', { html: 'x'.repeat(600_000), facts: [] }],
    ['other sites', { needs: ['//evil.example/'] }],
    ['data of nobody', { needs: ['/nothing'] }],
    ['data without end', { needs: ['/doctors'] }],
  ] as const;
  for (const [what, made] of [...active, ...wrong])
    it(`give way to it if the remote renders ${what}`, async () => {
      await using site = await openSite({ render: () => made });
      const { text, status } = await site.open('/ourDoctors');
      assert.equal(status, 200);
      assert.ok(!isHtml(text));
    });

  for (const address of ['/doctors/../internal/looks', '/doctors/%2e%2e/internal/looks'])
    it(`never get what is at ${address}`, async () => {
      await using site = await openSite({
        render: ({ answers }) => (address in answers ? { html: '', facts: [] } : { needs: [address] }),
      });
      assert.ok(!isHtml((await site.open('/ourDoctors')).text));
    });

  it('give way to it if the remote doesn’t answer in time', async () => {
    await using site = await openSite({ render: () => undefined, htmlWithinMs: 1 });
    assert.ok(!isHtml((await site.open('/ourDoctors')).text));
  });

  it('give way to it while the data can’t be had', async () => {
    await using site = await openSite({
      clinic: (_req, res) => void res.writeHead(503).end(),
      render: () => ({ needs: ['/doctors'] }),
    });
    assert.ok(!isHtml((await site.open('/ourDoctors')).text));
  });

  it('make no more calls of a service at once than it can take', async () => {
    const held: ServerResponse[] = [];
    const needs = Array.from({ length: 20 }, (_, at) => `/doctors?at=${at}`);
    await using site = await openSite({
      clinic: (_req, res) => void held.push(res),
      render: ({ answers }) => ('/doctors?at=0' in answers ? { html: '', facts: [] } : { needs }),
    });
    let refused = 0;
    const opened = Array.from({ length: 12 }, async (_, at) => {
      const { text } = await site.open(`/ourDoctors?at=${at}`);
      if (!isHtml(text)) refused += 1;
    });
    await waitUntil(() => refused === 2 && held.length === 200);
    for (const res of held) res.end('[]');
    await Promise.all(opened);
    assert.equal(refused, 2);
  });
});
