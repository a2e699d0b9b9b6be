import { expect, type Page } from '@playwright/test';
import { contractVersion, type RegisteredRemote } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { expectAccessible, onAnyDevice, picture } from '../support/clinic.ts';
import { integrityOf } from '../support/deploy.ts';
import { breakRequests, changeRegistry, markDocument } from '../support/outages.ts';
import { signIn } from '../support/people.ts';
import { chart } from '../support/reports.ts';
import { test } from '../support/first-use.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const unavailable = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: '/problems/unavailable',
    title: 'This part of the clinic isn’t available right now',
    status: 503,
    code: 'unavailable',
  }),
};

test.beforeEach(async ({ page }) => {
  await signIn(page.request, { email: demoAccounts.admin, password: demoPassword });
});

test('an unavailable remote costs its own part of the overview, and recovers with Retry', async ({ page }) => {
  const mend = await breakRequests(page, /^\/mf\/mf-clinic\//, (route) => route.abort('connectionreset'));
  await page.goto('/dash/overview');
  const panel = page.getByRole('region', { name: 'Appointments can’t be loaded right now' });
  await expect(panel).toContainText('Everything else still works.');
  for (const name of ['Orders', 'Stock at risk', 'Users']) await expect(heading(page, name)).toBeVisible();
  await expect(chart(page, 'Users by role')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1);
  await expectAccessible(page);
  await picture(page, 'admin overview without a remote');
  const sameDocument = await markDocument(page);
  mend();
  await panel.getByRole('button', { name: 'Retry' }).click();
  await expect(chart(page, 'Appointments by day')).toBeVisible();
  await expect(panel).toHaveCount(0);
  await sameDocument();
});

test('a missing figure leaves the others of its domain alone; an unavailable service is one quiet panel', async ({
  page,
}) => {
  const found = await breakRequests(page, /^\/medicine\/report$/, (route) => route.fulfill(unavailable));
  await page.goto('/dash/overview');
  await expect(page.getByText('Stock at risk can’t be shown right now')).toBeVisible();
  await expect(chart(page, 'Revenue by day')).toBeVisible();
  found();

  const mend = await breakRequests(page, /^\/(?:orderMedi|medicine)\/report$/, (route) => route.fulfill(unavailable));
  await page.goto('/dash/overview');
  await expect(page.getByText('Orders and stock can’t be shown right now')).toBeVisible();
  await expect(chart(page, 'Appointments by day')).toBeVisible();
  await expect(chart(page, 'Users by role')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1);
  await expectAccessible(page);
  await picture(page, 'admin overview without a service');
  mend();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(chart(page, 'Revenue by day')).toBeVisible();
  await expect(chart(page, 'Medicines at risk')).toBeVisible();
});

test(
  'a domain unknown when shell and administration were built adds its part by publishing it',
  onAnyDevice,
  async ({ page }) => {
    const module = `{ contractVersion: ${contractVersion}, Component: ({ from, to }) => 'Invoices from ' + from + ' to ' + to }`;
    const entry = `var mf_billing = { init() {}, get: async (name) => () => ({ default: name === './slots/overview' ? ${module} : undefined }) }`;
    const billing: RegisteredRemote = {
      name: 'mf-billing',
      container: 'mf_billing',
      version: '1.0.0',
      contractVersion,
      title: 'Billing',
      pages: [],
      redirects: [],
      preload: ['entry.js'],
      styles: [],
      integrity: { 'entry.js': integrityOf(entry) },
      slots: [{ slot: 'overview', order: 15 }],
      baseUrl: '/mf/mf-billing/',
    };
    await breakRequests(page, /^\/mf\/mf-billing\/entry\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: entry }),
    );
    await changeRegistry(page, (registry) => ({
      ...registry,
      remotes: [...registry.remotes.filter(({ name }) => name !== billing.name), billing],
    }));
    await page.goto('/dash/overview?period=own&from=2026-11-01&to=2026-11-02');
    await expect(page.getByText('Invoices from 2026-11-01 to 2026-11-02')).toBeVisible();
    await expect(chart(page, 'Users by role')).toBeVisible();
    // Sorted by order, between its neighbours.
    const parts = page.locator('main [data-mf="mf-admin"] [data-mf]');
    await expect
      .poll(() => parts.evaluateAll((elements) => elements.map((element) => element.getAttribute('data-mf'))))
      .toEqual(['mf-clinic', 'mf-billing', 'mf-pharmacy', 'mf-admin', 'mf-messages']);
  },
);
