import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { LaterFiles, RemoteDescriptor, Registry } from '@clinic/contracts/remotes';
import { digest, publicRemote, shellHtml, startGateway } from '../testing/start-gateway.ts';
import { serve } from '../testing/servers.ts';

const starter =
  '    <link rel="preload" href="/shell/start.js" as="script" integrity="sha384-start" data-for="html">\n';
const frame =
  '<nav id="top-menu"><ul><li><a href="/">Home</a></li><li><a href="/__path__">__label__</a></li></ul></nav><main><div data-mf="__remote__">__page__</div></main><footer>Foot</footer>';
const shell = shellHtml
  .replace(
    '  </head>\n',
    `    <script defer src="/shell/main.js" integrity="sha384-main"></script>\n${starter}  </head>\n`,
  )
  .replace(
    '<body>',
    `<body>\n    <div id="root"></div>\n    <noscript>needs JavaScript</noscript>\n    <template id="frame">${frame}</template>\n  `,
  );

const about = '<h1>About Us</h1><p>$& and &lt;b&gt;</p>';
const hashOf = (text: string): string => `sha384-${createHash('sha384').update(text).digest('base64')}`;
const withHtml: RemoteDescriptor = {
  ...publicRemote,
  html: { '/about': { file: 'html/page.0123.html', integrity: hashOf(about) }, '/ourDoctors': 'rendered' },
};

interface Visit {
  readonly page: string;
  readonly url: string;
  readonly version: string;
  readonly config: string;
  readonly answers: Readonly<Record<string, { readonly body: string; readonly headers: Record<string, string> }>>;
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

interface Parts {
  readonly shell?: string;
  readonly published?: RemoteDescriptor;
  readonly file?: string;
  readonly render?: (visit: Visit) => unknown;
  readonly clinic?: RequestListener;
  readonly htmlWithinMs?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A gateway before a remote that publishes HTML; the remote's answers can be replaced. */
async function openSite({
  shell: page = shell,
  published = withHtml,
  file = about,
  render = ({ url }) => ({ html: `<h1>${url.replaceAll('&', '&amp;')}</h1>`, facts: [] }),
  clinic,
  // Longer than a busy machine needs.
  htmlWithinMs = 30_000,
  settings = {},
}: Parts = {}) {
  const stack = new AsyncDisposableStack();
  const remote = stack.use(
    await serve((req, res) => {
      if (req.url === '/html')
        return void textOf(req).then((text) => {
          const made = render(JSON.parse(text) as Visit);
          if (made !== undefined) res.end(JSON.stringify(made));
        });
      // Servers take other questions with this header as being about their releases.
      if (req.url === '/html/page.0123.html' && req.headers['clinic-releases'] === undefined) return void res.end(file);
      res.end(JSON.stringify(published));
    }),
  );
  const front = stack.use(await serve((_req, res) => res.end(page)));
  const service = clinic && stack.use(await serve(clinic));
  const gateway = stack.use(
    await startGateway(
      { SHELL_URL: front.url, REMOTES: `mf-public=${remote.url}`, ...settings },
      { htmlWithinMs, ...(service && { services: { clinic: service.url } }) },
    ),
  );
  return {
    open: (path: string, cookie?: string) =>
      gateway.ask(path, { headers: { Accept: 'text/html', ...(cookie !== undefined && { cookie }) } }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const laterOf = (text: string): LaterFiles =>
  JSON.parse(/id="later-scripts">(.*?)<\/script>/.exec(text)?.[1] ?? '') as LaterFiles;

const isHtml = (text: string): boolean => text.includes('<div id="page"');

describe('pages as HTML', () => {
  it('come in the shell’s frame, and leave scripts to the starter', async () => {
    await using site = await openSite();
    const { text, headers } = await site.open('/about');
    assert.ok(
      text.includes(`<div data-mf="mf-public">${about}</div></main><footer>Foot</footer></div>\n    <div id="root">`),
    );
    assert.match(text, /<div id="page" data-remote="mf-public" data-version="1\.0\.0"><nav/);
    assert.match(
      text,
      /<li><a href="\/ourDoctors">Doctors<\/a><\/li><li><a aria-current="page" href="\/about">About<\/a>/,
    );
    assert.match(
      text,
      new RegExp(
        `<link rel="stylesheet" href="/mf/mf-public/module.0123.css" data-href="module.0123.css" integrity="${digest}">`,
      ),
    );
    const scripts = [...text.matchAll(/<script (?!type="application)[^>]*>/g)].map(([tag]) => tag);
    assert.deepEqual(scripts, ['<script src="/shell/start.js" integrity="sha384-start">']);
    const later = laterOf(text);
    assert.deepEqual(later.scripts, [{ href: '/shell/main.js', integrity: 'sha384-main' }]);
    assert.deepEqual(
      later.preloads.map(({ href, as }) => [href, as]),
      [
        ['/shell/host.js', 'script'],
        ['/mf/mf-public/entry.0123.js', 'script'],
      ],
    );
    assert.doesNotMatch(text, /rel="preload"|<template|<noscript|__\w+__/);
    assert.equal(headers['vary'], 'Accept-Encoding, Cookie');
    const today = await site.open('/login');
    assert.equal(headers['content-security-policy'], today.headers['content-security-policy']);
    assert.doesNotMatch(today.text, /<template|start\.js/);
  });

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

  it('name these calls, which the application makes, too', async () => {
    await using site = await openSite({
      clinic: (_req, res) => res.end('[]'),
      render: ({ answers }) => ('/doctors?q=a' in answers ? { html: '', facts: [] } : { needs: ['/doctors?q=a'] }),
    });
    assert.deepEqual(laterOf((await site.open('/ourDoctors?q=a')).text).calls, ['/doctors?q=a']);
    assert.deepEqual(laterOf((await site.open('/about')).text).calls, []);
  });

  it('leave the registry to a shell that asks for it', async () => {
    const asking = shell.replace('data-for="html"', 'data-for="html" data-registry="later"');
    const late = { 'late.0123.js': digest, 'other.0123.js': digest };
    const published: RemoteDescriptor = {
      ...withHtml,
      integrity: { ...withHtml.integrity, ...late },
      htmlPreload: { '/about': ['late.0123.js'] },
      hashes: { file: 'hashes.0123.json', integrity: digest },
    };
    const waiting = asking.replace(
      '</head>',
      '<script id="integrity" data-hashes="hashes.4567.json">{}</script></head>',
    );
    await using site = await openSite({ shell: waiting, published });
    const { text } = await site.open('/about');
    assert.doesNotMatch(text, /id="registry"/);
    const { registry, preloads } = laterOf(text);
    assert.equal(registry, '/registry.json?page=%2Fabout');
    assert.ok(preloads.some(({ href }) => href === '/mf/mf-public/late.0123.js'));
    const { remotes } = JSON.parse((await site.open(registry)).text) as Registry;
    assert.deepEqual(
      remotes.map(({ name, integrity = {} }) => [name, Object.keys(integrity)]),
      [['mf-public', ['module.0123.css', 'entry.0123.js', 'late.0123.js']]],
    );
    assert.ok(remotes.every(({ pages }) => pages.every((page) => !('facts' in page))));
    // Who has a session gets the page that scripts draw.
    assert.match((await site.open('/about', 'clinic_session=x')).text, /id="registry"/);
    await using earlier = await openSite();
    const before = (await earlier.open('/about')).text;
    assert.match(before, /id="registry"/);
    assert.equal(laterOf(before).registry, undefined);
  });

  it('preload the shell’s libraries that the page needs', async () => {
    const records =
      '    <link rel="preload" href="/shell/records.js" as="script" integrity="sha384-records" data-for="@clinic/app-kit/records">\n';
    await using site = await openSite({
      shell: shell.replace('  </head>', `${records}  </head>`),
      published: { ...withHtml, pageLibraries: { '/about': ['@clinic/app-kit/records'] } },
    });
    const namesIt = (page: string): boolean => page.includes('/shell/records.js');
    assert.deepEqual(
      [namesIt((await site.open('/about')).text), namesIt((await site.open('/ourDoctors')).text)],
      [true, false],
    );
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
});
