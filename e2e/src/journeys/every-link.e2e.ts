import { mayOpen } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { request as requests } from '@playwright/test';
import { openPage } from '../support/appearance.ts';
import { expect, test } from '../support/clinic.ts';
import { linksOn, shapeOf, whereItLed } from '../support/links.ts';
import { everyPage, visitors } from '../support/pages.ts';
import { ours, read, signIn } from '../support/people.ts';

// Each role opens some forty pages.
test.describe.configure({ timeout: 600_000 });

/** Where the buttons and links of the mails about visits and the waitlist lead, from what admins preview. */
let mailed: readonly string[];
test.beforeAll(async ({ baseURL }) => {
  const api = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  await signIn(api, { email: demoAccounts.admin, password: demoPassword });
  const kinds = await read<readonly { readonly kind: string }[]>(await api.get('/messages/kinds'));
  const about = kinds.map(({ kind }) => kind).filter((kind) => /^(appointment|waitlist)-/.test(kind));
  expect(about.length).toBeGreaterThan(5);
  const texts = await Promise.all(
    about.map(async (kind) => read<{ readonly text: string }>(await api.get(`/messages/kinds/${kind}/preview`))),
  );
  await api.dispose();
  mailed = texts
    .flatMap(({ text }) => [...text.matchAll(/https?:\/\/\S+/g)].map(([address]) => new URL(address)))
    .map(({ pathname, search }) => pathname + search)
    .filter(isReal);
  expect(mailed).toContain('/dash/patient');
});

/** The made-up token of a mail's preview is none. */
function isReal(address: string): boolean {
  return !address.includes('/example');
}

for (const role of visitors)
  test(`no link on any page, or in a mail, leads ${role ?? 'a visitor'} to a wrong or forbidden page`, async ({
    page,
  }) => {
    if (role) await signIn(page.request, { email: demoAccounts[role], password: demoPassword });
    const found: string[] = [];
    const seen = new Set<string>();
    const open: { readonly address: string; readonly from: string }[] = [
      ...everyPage
        .filter(({ path, access }) => !path.includes(':') && mayOpen(access, role))
        .map(({ path }) => ({ address: path, from: 'the list of pages' })),
      ...(role ? mailed : []).map((address) => ({ address, from: 'a mail' })),
    ];
    for (let next = open.shift(); next; next = open.shift()) {
      const { address, from } = next;
      const shape = shapeOf(address);
      if (seen.has(shape)) continue;
      seen.add(shape);
      await openPage(page, address);
      const faults = await page.evaluate(whereItLed, role !== undefined);
      found.push(...faults.map((fault) => `${address} from ${from}: ${fault}`));
      // Links that need a login lead a visitor there, and back afterwards.
      if (role === undefined && new URL(page.url()).pathname === '/login') continue;
      // The mails there are other people's, whose links may have been used.
      if (address.startsWith('/mailbox')) continue;
      open.push(...(await linksOn(page)).filter(isReal).map((link) => ({ address: link, from: address })));
    }
    expect(found).toEqual([]);
    expect(seen.size).toBeGreaterThan(8);
  });
