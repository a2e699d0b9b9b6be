import { expect, test } from '../support/clinic.ts';
import { openPage } from '../support/appearance.ts';

/** What the page publishes about something in schema.org terms. */
interface Thing {
  readonly '@type': string;
  readonly '@id'?: string;
  readonly name: string;
  readonly medicalSpecialty: string | string[];
  readonly memberOf?: Pick<Thing, '@id'>;
}

const listed = ['/', '/about', '/services', '/ourDoctors', '/medicinestore'];

test('each public page has its own title, description, canonical address and card', async ({ page, baseURL }) => {
  const seen = new Set<string>();
  for (const path of listed) {
    await openPage(page, path);
    const head = page.locator('head');
    const content = (name: string) =>
      head.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content');
    const [title, description] = [await page.title(), await content('description')];
    expect(description?.length, path).toBeGreaterThan(60);
    expect(description?.length, path).toBeLessThan(170);
    seen.add(title).add(description ?? '');
    expect(new URL((await head.locator('link[rel="canonical"]').getAttribute('href')) ?? '').pathname).toBe(path);
    expect(await content('og:description')).toBe(description);
    expect(title).toContain(await content('og:title'));
  }
  expect(seen.size).toBe(2 * listed.length);
  const sitemap = await (await page.request.get('/sitemap.xml')).text();
  expect(
    [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname).toSorted(),
  ).toEqual(listed.toSorted());
  expect(await (await page.request.get('/robots.txt')).text()).toMatch(/^Sitemap: http\S+\/sitemap\.xml$/m);
  expect(baseURL).toBeTruthy();
});

test('clinic and doctors are described to search engines as structured data', async ({ page }) => {
  await openPage(page, '/ourDoctors');
  const facts = await page.locator('script[type="application/ld+json"]').allTextContents();
  const things = facts.flatMap((text) => JSON.parse(text) as Thing | Thing[]);
  const clinics = things.filter((thing) => thing['@type'] === 'MedicalClinic');
  expect(clinics).toHaveLength(1);
  const physicians = things.filter((thing) => thing['@type'] === 'Physician');
  expect(physicians).toHaveLength(await page.getByRole('article').count());
  const names = await page.getByRole('article').getByRole('heading').allInnerTexts();
  expect(physicians.map(({ name }) => name)).toEqual(names);
  for (const { medicalSpecialty, memberOf } of physicians) {
    expect(medicalSpecialty).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(memberOf?.['@id']).toBe(clinics[0]?.['@id']);
  }
});

test('the clinic’s questions and its pharmacy are structured data in the HTML, without scripts', async ({ page }) => {
  const thingsOf = async (path: string): Promise<Record<string, unknown>[]> => {
    const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text();
    return [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
      ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
    );
  };
  const [clinic = {}, faq = {}] = await thingsOf('/');
  await openPage(page, '/');
  const shown = await page.locator('summary').allInnerTexts();
  expect(faq['@type']).toBe('FAQPage');
  expect((faq['mainEntity'] as { name: string }[]).map(({ name }) => name)).toEqual(shown);
  const [, pharmacyFacts = {}] = await thingsOf('/medicinestore');
  expect(pharmacyFacts['@type']).toBe('Pharmacy');
  const parent = (pharmacyFacts['parentOrganization'] as Record<string, string>)['@id'] ?? '';
  expect(new URL(parent, String(clinic['url'])).href).toBe(clinic['@id']);
});

test('all images are the project’s own, have their sizes, and load', async ({ page }) => {
  for (const path of ['/', '/ourDoctors', '/about']) {
    await openPage(page, path);
    const pictures = await page.evaluate(() => {
      for (const image of document.images) image.loading = 'eager';
      return Promise.all(
        [...document.images].map(async (image) => {
          await image.decode();
          const { src, width, height } = image;
          return {
            own: new URL(src).origin === location.origin,
            modern: /\.(svg|webp|avif)$/.test(src),
            sized: image.hasAttribute('width') && image.hasAttribute('height') && width * height > 0,
          };
        }),
      );
    });
    expect(pictures.filter(({ own, modern, sized }) => !own || !modern || !sized)).toEqual([]);
  }
  const icons = await page
    .locator('head link[rel~="icon"], head link[rel="apple-touch-icon"], head link[rel="manifest"]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  expect(icons).toHaveLength(4);
  const social = await page.locator('meta[property="og:image"]').getAttribute('content');
  for (const address of [...icons, new URL(social ?? '').pathname, '/favicon.ico'])
    expect((await page.request.get(address)).status(), address).toBe(200);
});
