import { mayOpen } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { request as requests } from '@playwright/test';
import { followAddress, openPage } from '../support/appearance.ts';
import { expect, test } from '../support/clinic.ts';
import { linksOn, shapeOf, whereItLed } from '../support/links.ts';
import { everyPage, visitors } from '../support/pages.ts';
import { ours, read, signIn } from '../support/people.ts';

// Each role opens some forty pages.
test.describe.configure({ timeout: 600_000 });

/** Where the buttons and links of every kind of mail lead, from what admins preview. */
let mailed: readonly string[];
test.beforeAll(async ({ baseURL }) => {
  const api = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  await signIn(api, { email: demoAccounts.admin, password: demoPassword });
  const kinds = await read<readonly { readonly kind: string }[]>(await api.get('/messages/kinds'));
  expect(kinds.length).toBeGreaterThan(15);
  const texts = await Promise.all(
    kinds.map(async ({ kind }) => read<{ readonly text: string }>(await api.get(`/messages/kinds/${kind}/preview`))),
  );
  await api.dispose();
  mailed = texts
    .flatMap(({ text }) => [...text.matchAll(/https?:\/\/\S+/g)].map(([address]) => new URL(address)))
    .map(({ pathname, search }) => pathname + search)
    .filter(isReal);
  for (const page of ['/dash/patient', '/dash/waitlist', '/dash/myorders', '/dash/account'])
    expect(mailed).toContain(page);
});

/** The made-up tokens and ids of a mail's preview are none. */
function isReal(address: string): boolean {
  return !/[/=](?:example\b|0{16})/.test(address);
}

/** Where addresses of links lead on to (docs/product.md). */
function leadsOn(address: string): readonly string[] {
  if (address === '/dash') return ['/dash/admin', '/dash/doctorAppoinments', '/dash/orders', '/dash/patient'];
  return address === '/appointments' || address === '/dash/appoinments' ? ['/ourDoctors'] : [];
}

const listed = 'the list of pages';

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
        .map(({ path }) => ({ address: path, from: listed })),
      ...(role ? mailed : []).map((address) => ({ address, from: 'a mail' })),
    ];
    await openPage(page, '/about');
    for (let next = open.shift(); next; next = open.shift()) {
      const { address, from } = next;
      const shape = shapeOf(address);
      if (seen.has(shape)) continue;
      seen.add(shape);
      await followAddress(page, address);
      const faults = await page.evaluate(whereItLed, role !== undefined);
      found.push(...faults.map((fault) => `${address} from ${from}: ${fault}`));
      const { pathname: led } = new URL(page.url());
      // Links that need a login lead a visitor there, and back afterwards.
      if (role === undefined && led === '/login') continue;
      // Another page than the words of the link promise, such as somebody else's list.
      if (from !== listed && !address.startsWith(led) && !leadsOn(address).includes(led))
        found.push(`${address} from ${from}: leads to ${led}`);
      // The mails there are other people's, whose links may have been used.
      if (address.startsWith('/mailbox')) continue;
      open.push(...(await linksOn(page)).filter(isReal).map((link) => ({ address: link, from: address })));
    }
    expect(found).toEqual([]);
    expect(seen.size).toBeGreaterThan(8);
  });
