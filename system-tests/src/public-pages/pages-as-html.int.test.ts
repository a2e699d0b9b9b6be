import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pharmacy from '../../../mf-pharmacy/remote.config.ts';
import publicSite from '../../../mf-public/remote.config.ts';
import { startWholeClinic, type WholeClinic } from '../support/whole-clinic.ts';

const pages = [...publicSite.pages, ...pharmacy.pages].filter(({ access }) => access === 'everyone');

let clinic: WholeClinic;

before(async () => {
  clinic = await startWholeClinic();
});
after(() => clinic.close());

/** What a visitor without a session gets. */
async function open(path: string): Promise<string> {
  return (await fetch(clinic.url + path, { headers: { accept: 'text/html' } })).text();
}

const list = async (path: string): Promise<Record<string, unknown>[]> =>
  (await (await fetch(clinic.url + path)).json()) as Record<string, unknown>[];

const bodyOf = (html: string): string => html.slice(html.indexOf('<div id="page"'), html.indexOf('<div id="root"'));

const factsOf = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json"(?: data-shown)?>(.*?)<\/script>/g)].map(
    ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
  );

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');

describe('public pages as HTML', () => {
  for (const { path } of pages)
    it(`${path} is whole without scripts`, async () => {
      const html = await open(path);
      const body = bodyOf(html);
      assert.match(body, /<header.*<h1.*<footer/s);
      assert.doesNotMatch(body, /ui-skeleton|Loading|aria-busy="true"|__\w+__/);
      assert.doesNotMatch(body, /<script|\sstyle="|\son\w+="/);
      for (const [image] of body.matchAll(/<img [^>]*>/g)) assert.match(image, /width="\d+" height="\d+"/);
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length);
      // Today's application comes with the first use.
      assert.match(html, /<script [^>]*src="\/shell\/start\.[^>]*integrity=/);
      assert.doesNotMatch(html, /<script defer/);
    });

  it('has the doctors, and finds them by GET', async () => {
    const doctors = await list('/doctors?limit=24');
    const all = bodyOf(await open('/ourDoctors'));
    for (const { name } of doctors) assert.ok(all.includes(escaped(String(name))), String(name));
    assert.match(
      all,
      /<form action="\/ourDoctors">.*<input [^>]*name="q".*<select [^>]*name="specialty".*type="submit"/s,
    );
    const [first = {}, second = {}] = doctors;
    const found = bodyOf(
      await open(`/ourDoctors?q=${encodeURIComponent(String(first['name']))}&specialty=&when=&part=&sort=name`),
    );
    assert.ok(found.includes(escaped(String(first['name']))));
    assert.ok(!found.includes(escaped(String(second['name']))));
    const physicians = factsOf(await open('/ourDoctors')).filter((fact) => fact['@type'] === 'Physician');
    assert.deepEqual(new Set(physicians.map(({ name }) => name)), new Set(doctors.map(({ name }) => name)));
  });

  it('has the medicines, page by page', async () => {
    const first = bodyOf(await open('/medicinestore'));
    const next =
      /<button (?=[^>]*name="cursor")[^>]*value="([^"]+)"[^>]*>(?:(?!<\/button>).)*Next/s.exec(first)?.[1] ?? '';
    assert.notEqual(next, '');
    const second = bodyOf(await open(`/medicinestore?q=&category=&cursor=${encodeURIComponent(next)}`));
    const names = (html: string): string[] =>
      [...html.matchAll(/<h2 class="mt-3[^>]*>([^<]*)/g)].map(([, name = '']) => name);
    assert.equal(names(first).length, 24);
    assert.ok(names(second).length > 0);
    const products = factsOf(await open('/medicinestore')).filter((fact) => fact['@type'] === 'Product');
    assert.equal(products.length, 24);
    for (const { offers } of products) assert.match((offers as { price: string }).price, /^\d+\.\d\d$/);
  });

  it('writes what was searched for as text', async () => {
    const body = bodyOf(await open(`/medicinestore?q=${encodeURIComponent('"><script>alert(1)</script>')}`));
    assert.ok(body.includes('We couldn’t find'));
    assert.doesNotMatch(body, /<script/);
  });

  it('shows nothing of people’s own', async () => {
    const { headers } = await fetch(`${clinic.url}/ourDoctors`, { headers: { accept: 'text/html' } });
    assert.equal(headers.get('vary'), 'Accept-Encoding, Cookie');
    const withSession = await fetch(`${clinic.url}/ourDoctors`, {
      headers: { accept: 'text/html', cookie: 'signed_in=1' },
    });
    assert.ok(!(await withSession.text()).includes('<div id="page"'));
  });
});
