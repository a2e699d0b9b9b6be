import type { Page } from '@playwright/test';
import { expect, notification, test } from '../support/clinic.ts';
import { fillRegistration, logOut } from '../support/log-in.ts';

async function register(page: Page, name: string): Promise<void> {
  await page.goto('/register');
  const email = `${name.toLowerCase()}.${test.info().project.name}.${Date.now()}@mail.example`;
  await fillRegistration(page, { firstName: name, lastName: 'Rahman', email, password: 'Secret-77' });
  await page.getByRole('button', { name: 'Create My Account' }).click();
}

const busy = (page: Page) => notification(page, 'This takes a moment');
const done = (page: Page) => notification(page, 'User created and saved to DB');

/** Logs out once the page has gone home, which closes an open menu. */
async function leave(page: Page): Promise<void> {
  await expect(page).toHaveURL('/');
  await logOut(page);
}

test('a waiting room registers one by one: the first at once, the others with some work of their browsers', async ({
  page,
}) => {
  // A network of its own, which may make one account freely (support/start-clinic.ts).
  const groups = Date.now().toString(16).slice(-8).replace(/^..../, '$&:');
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `2001:db8:${groups}::1` });
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname));
  const workers = () => files.filter((file) => file.includes('proof-of-work'));
  await register(page, 'Ada');
  await expect(done(page)).toBeVisible();
  expect(workers()).toEqual([]);
  await leave(page);

  await register(page, 'Bilal');
  await expect(done(page)).toBeVisible();
  expect(workers()).toHaveLength(1);
  await expect(busy(page)).toHaveCount(0);
  await leave(page);

  // Once more, without a wait: a waiting room shares one address.
  await register(page, 'Chitra');
  await expect(done(page)).toBeVisible();
  await expect(page).toHaveURL('/');
});
