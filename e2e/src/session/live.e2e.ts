import type { APIRequestContext, Page } from '@playwright/test';
import { expect, expectMenu, test } from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { logInAs } from '../support/log-in.ts';
import { menus } from '../support/menus.ts';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { confirmAddress, expectOk, openOffice, ours, read, registerPatient, signIn } from '../support/people.ts';

/** Sets a page's visibility state: in a headless browser all pages are visible. */
async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

/** A page's calls from now on, without files, as `GET /users/… 200`. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (['fetch', 'eventsource', 'xhr'].includes(request.resourceType())) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

/** A page's requests that have no response yet, without its line. */
function openRequestsOf(page: Page): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/live')) open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  return open;
}

const lines = (calls: readonly string[]): number => calls.filter((call) => call === 'GET /live').length;

/** Begins to look for a text, which a page may show for a moment only. @returns waits until it has been seen */
async function noted(page: Page, text: string): Promise<() => Promise<unknown>> {
  await page.evaluate((expected) => {
    const found = new Promise<void>((resolve) => {
      const check = (): void => {
        if (document.body.innerText.includes(expected)) resolve();
      };
      new MutationObserver(check).observe(document.body, { subtree: true, childList: true, characterData: true });
      check();
    });
    Reflect.set(globalThis, 'found', found);
  }, text);
  return () => page.evaluate(() => Reflect.get(globalThis, 'found') as Promise<void>);
}

test('open tabs learn of a changed role and a log-out, over one connection, and hidden ones when they are shown', async ({
  page,
  context,
  baseURL,
}, { project }) => {
  const person = await registerPatient(context.request, 'Lina', project.name);
  await confirmAddress(context.request, person);
  const office = await openOffice(baseURL);
  const [other, hidden] = [await context.newPage(), await context.newPage()];
  const tabs = [page, other, hidden];
  const calls = tabs.map(callsOf);
  const openRequests = tabs.map(openRequestsOf);
  const opened = page.waitForRequest('**/live**');
  await page.goto('/dash/patient');
  await opened;
  for (const tab of [other, hidden]) await tab.goto('/dash/patient');
  for (const tab of tabs) {
    await expectMenu(tab, menus.patient);
    await expect(tab.getByText('No coming appointments')).toBeVisible();
  }
  // A tab that is still loading something when the role changes has to renew the session itself.
  await expect.poll(() => calls.filter((list) => list.includes('GET /appoinments/questions')).length).toBe(3);
  await expect.poll(() => openRequests.reduce((sum, { size }) => sum + size, 0)).toBe(0);
  await show(hidden, 'hidden');
  await expect.poll(() => lines(calls.flat())).toBe(1);

  await test.step('a new role, with one call in one tab', async () => {
    for (const list of calls) list.length = 0;
    const until = [await noted(page, 'You’re now a pharmacist'), await noted(other, 'You’re now a pharmacist')];
    await office.changeRole(person.email, 'pharmacist');
    await Promise.all(until.map((seen) => seen()));
    for (const tab of [page, other]) await expect(tab).toHaveURL('/dash/orders');
    const renewals = calls.flat().filter((call) => /\/(jwt|users)\b/.test(call));
    expect(renewals).toEqual(['POST /jwt/refresh']);
  });

  await test.step('a hidden tab catches up when it is shown', async () => {
    await show(hidden, 'visible');
    await expectMenu(hidden, menus.pharmacist);
  });

  await test.step('the leading tab is closed, another takes over', async () => {
    await expect.poll(() => lines(calls.flat())).toBe(1);
    await page.close();
    await expect.poll(() => lines(calls.flat())).toBe(2);
  });

  await test.step('logged out elsewhere', async () => {
    const until = await Promise.all([other, hidden].map((tab) => noted(tab, 'You’ve been logged out on all devices')));
    await office.logOutEverywhere(person.email);
    await Promise.all(until.map((seen) => seen()));
    for (const tab of [other, hidden]) await expect(tab).toHaveURL(/\/login/);
  });
  await office.close();
});

/** A test's own medicine: others order, empty and reprice what they find. @param pharmacist - not logged in yet */
async function addMedicine(pharmacist: APIRequestContext, device: string): Promise<Medicine['medicine']> {
  await signIn(pharmacist, { email: demoAccounts.pharmacist, password: demoPassword });
  const name = `Live ${device} ${Date.now()}`;
  const made = { name, manufacturer: 'Maker', quantity: 9, unit: 'box', expiryDate: dayFromNow(400), pricePerUnit: 1 };
  const answer = await pharmacist.post('/medicine', { headers: ours, data: { medicine: made } });
  return (await read<Medicine>(answer)).medicine;
}

test('a new order is on all visible staff pages without a reload', async ({ page, context, baseURL, playwright }, {
  project,
}) => {
  const apis = await Promise.all(
    [1, 2].map(() => playwright.request.newContext({ baseURL, extraHTTPHeaders: { 'sec-fetch-site': 'same-origin' } })),
  );
  const [buyer, pharmacist] = apis as [APIRequestContext, APIRequestContext];
  const medicine = await addMedicine(pharmacist, project.name);
  const customer = await registerPatient(context.request, 'Nila', project.name);
  await signIn(buyer, customer);
  const other = await context.newPage();
  const calls = [page, other].map(callsOf);
  const opened = page.waitForResponse('**/live**');
  await logInAs(page, 'pharmacist', '/dash/orders');
  await opened;
  await other.goto('/dash/orders');
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: /^Orders/ })).toBeVisible();
  const until = [await noted(page, customer.email), await noted(other, customer.email)];
  await expectOk(
    await buyer.post('/orderMedi', {
      data: {
        customeremail: customer.email,
        customerPhone: '+880 1555 777006',
        deliveryAddress: '1 Green Road',
        items: [{ medicineId: medicine.medicineId, quantity: 1 }],
      },
    }),
  );
  await Promise.all(until.map((seen) => seen()));
  expect(lines(calls.flat())).toBe(1);
  for (const api of apis) await api.dispose();
});

test('an own change loads its list once; another’s still arrives; without the line it loads as well', async ({
  page,
  context,
  baseURL,
  playwright,
}, { project }) => {
  const person = await registerPatient(context.request, 'Once', project.name);
  await signIn(context.request, person);
  const pharmacist = await playwright.request.newContext({ baseURL });
  const { medicineId } = await addMedicine(pharmacist, project.name);
  await pharmacist.dispose();
  const order = async (): Promise<void> =>
    expectOk(
      await context.request.post('/orderMedi', {
        headers: ours,
        data: {
          items: [{ medicineId, quantity: 1 }],
          deliveryAddress: '1 Once Road',
          customeremail: person.email,
          customerPhone: '+880 1555 777003',
        },
      }),
    );
  await order();
  await order();
  const cancel = async (): Promise<void> => {
    await page
      .getByRole('button', { name: /^Cancel order/ })
      .first()
      .click();
    const done = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order' }).click();
    await done;
  };
  const lists = (): number => calls.filter((call) => call === 'GET /orderMedi').length;
  const calls = callsOf(page);
  const opened = page.waitForResponse('**/live**');
  await page.goto('/dash/myorders');
  await opened;
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(2);
  // A new line repeats what has just changed: what comes after this is new.
  await order();
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(3);
  calls.length = 0;
  await cancel();
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(2);
  expect(lists()).toBe(1);
  // The hint about it comes before the one about a change that another device of the same person makes.
  const remaining = await read<{ readonly _id: string; readonly status: string }[]>(
    await context.request.get(`/orderMedi?email=${encodeURIComponent(person.email)}`),
  );
  const other = remaining.find(({ status }) => status === 'pending')?._id ?? '';
  const change = await context.request.patch(`/orderMedi/${other}`, {
    data: { newStatus: 'Cancelled' },
    headers: ours,
  });
  await expectOk(change);
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(1);
  expect(lists()).toBe(2);

  // A browser that can't hold the line.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'EventSource'));
  await page.reload();
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(1);
  await cancel();
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(0);
});
