import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { publicRemote, realProject, startGateway } from '../testing/start-gateway.ts';
import { serve } from '../testing/servers.ts';

const gateway = await startGateway({
  ...realProject,
  PUBLIC_URL: 'https://clinic.example/',
  NODE_ENV: 'production',
});
after(() => gateway.close());

describe('page metadata', () => {
  const page = async (path: string): Promise<string> =>
    (await gateway.ask(path, { headers: { Accept: 'text/html' } })).text;
  const content = (html: string, name: string): string | undefined =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];

  it('gives each public page a description, a canonical address and a card', async () => {
    const html = await page('/about');
    assert.match(content(html, 'description') ?? '', /since 2010/);
    assert.equal(/<link rel="canonical" href="([^"]*)">/.exec(html)?.[1], 'https://clinic.example/about');
    assert.equal(content(html, 'og:title'), 'About Us');
    assert.equal(content(html, 'og:description'), content(html, 'description'));
    assert.equal(content(html, 'og:url'), 'https://clinic.example/about');
    assert.equal(content(html, 'og:image'), 'https://clinic.example/shell/social.png');
    assert.equal(content(html, 'robots'), undefined);
    assert.equal(html.match(/name="description"/g)?.length, 1);
    assert.notEqual(content(await page('/ourDoctors'), 'description'), content(html, 'description'));
  });

  it('describes the clinic as structured data', async () => {
    const facts = JSON.parse(
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await page('/'))?.[1] ?? '{}',
    ) as Record<string, unknown>;
    assert.equal(facts['@type'], 'MedicalClinic');
    assert.equal(facts['url'], 'https://clinic.example/');
    assert.equal(facts['foundingDate'], '2010');
  });

  it('says what a page is about, as its remote describes it, and only there', async () => {
    const facts = { '@type': 'FAQPage', name: '</script><b>' };
    const described = { ...publicRemote, pages: publicRemote.pages.map((one) => ({ ...one, facts: [facts] })) };
    await using remote = await serve((_req, res) => res.end(JSON.stringify(described)));
    await using other = await startGateway({ ...realProject, REMOTES: `mf-public=${remote.url}` });
    const { text } = await other.ask('/about', { headers: { Accept: 'text/html' } });
    const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
    assert.deepEqual(
      blocks.slice(1).map(([, block = '']) => JSON.parse(block) as unknown),
      [{ '@context': 'https://schema.org', ...facts }],
    );
    assert.equal(text.split('FAQPage').length, 2);
    const home = (await gateway.ask('/', { headers: { Accept: 'text/html' } })).text;
    assert.match(home, /"@type":"FAQPage".*"@type":"Question","name":"Do you accept my insurance\?"/);
  });

  it('keeps logins, unknown addresses and personal pages out of search engines', async () => {
    for (const path of ['/login', '/dash', '/no/such/page']) {
      const html = await page(path);
      assert.equal(content(html, 'robots'), 'noindex', path);
      assert.doesNotMatch(html, /canonical|ld\+json/);
    }
    assert.match(await page('/login'), /<title>Login · /);
    assert.match(await page('/no/such/page'), /<title>Page not found · /);
    assert.equal(
      (await gateway.ask('/robots.txt')).text,
      'User-agent: *\nDisallow: /dash\nDisallow: /appoinment/\n\nSitemap: https://clinic.example/sitemap.xml\n',
    );
  });

  it('lists the public pages', async () => {
    const { text, headers } = await gateway.ask('/sitemap.xml');
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8');
    assert.deepEqual(
      [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address),
      [
        'https://clinic.example/',
        'https://clinic.example/about',
        'https://clinic.example/services',
        'https://clinic.example/ourDoctors',
      ],
    );
  });

  it('neither keeps nor passes on an address that lets whoever has it act', async () => {
    const links = { ...publicRemote, name: 'mf-links', container: 'mf_links', redirects: [] };
    const page = { path: '/do-it/:token', layout: 'public', access: 'everyone', title: 'Do it' } as const;
    await using remote = await serve((_req, res) => res.end(JSON.stringify({ ...links, pages: [page] })));
    await using other = await startGateway({ ...realProject, REMOTES: `mf-links=${remote.url}` });
    const headersOf = async (path: string) => {
      const { headers, text } = await other.ask(path, { headers: { Accept: 'text/html' } });
      assert.equal(content(text, 'robots'), 'noindex', path);
      return ['cache-control', 'x-robots-tag', 'referrer-policy'].map((name) => headers[name]);
    };
    assert.deepEqual(await headersOf('/do-it/s3cret.x?lang=bn'), ['no-store', 'noindex', 'no-referrer']);
    // Firebase's API key may be restricted to the clinic's own site.
    for (const path of ['/register?invitation=s3cret', '/auth-action?mode=resetPassword&oobCode=s3cret'])
      assert.deepEqual(await headersOf(path), ['no-store', 'noindex', 'strict-origin'], path);
    assert.deepEqual(await headersOf('/login'), ['no-cache', undefined, 'strict-origin-when-cross-origin']);
  });

  it('offers the gallery to developers only', async () => {
    assert.equal((await gateway.ask('/__ui', { headers: { Accept: 'text/html' } })).status, 404);
    await using development = await startGateway({ NODE_ENV: 'development' });
    assert.equal((await development.ask('/__ui')).status, 200);
  });
});
