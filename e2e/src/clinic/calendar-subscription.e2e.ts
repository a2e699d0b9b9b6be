import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, notification, picture, test } from '../support/clinic.ts';
import { logIn } from '../support/log-in.ts';
import { registerPatient } from '../support/people.ts';

test('a patient makes a calendar address, replaces it and stops it', async ({ page, request }, { project }) => {
  const patient = await registerPatient(request, 'Cal', project.name);
  await logIn(page, patient.email, patient.password, '/dash/patient');
  await page.getByRole('button', { name: 'Calendar subscription' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calendar subscription' });
  await expect(dialog.getByText('It stays up to date by itself')).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'calendar-subscription');
  await dialog.getByRole('button', { name: 'Make an address' }).click();
  const field = dialog.getByLabel('Secret address');
  const first = await field.inputValue();
  expect(first).toMatch(/^http.*\/calendar-feed\/[\w-]{32}\.ics$/);
  await expect(dialog.getByRole('link', { name: 'Open in my calendar' })).toHaveAttribute(
    'href',
    first.replace(/^http/, 'webcal').replace(/^webcals/, 'webcal'),
  );
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'calendar-subscription-address');

  // As a calendar program reads it: without a session.
  const calendar = await fetch(first);
  expect(calendar.status).toBe(200);
  expect(calendar.headers.get('cache-control')).toBe('private, no-cache');
  expect(calendar.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await calendar.text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
  const etag = calendar.headers.get('etag') ?? '';
  expect((await fetch(first, { headers: { 'if-none-match': etag } })).status).toBe(304);

  await dialog.getByRole('button', { name: 'Replace the address' }).click();
  await expect(dialog.getByText('Calendars that have the old one')).toBeVisible();
  await dialog.getByRole('button', { name: 'Replace the address' }).click();
  await expect(field).not.toHaveValue(first);
  const second = await field.inputValue();
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200]);

  await page.reload();
  await page.getByRole('button', { name: 'Calendar subscription' }).click();
  await expect(dialog.getByText('You made an address for your calendar on')).toBeVisible();
  await expect(field).toBeHidden();
  await picture(page, 'calendar-subscription-made');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('button', { name: 'Stop the subscription' }).click();
  await expect(notification(page, 'Your calendar subscription has stopped')).toBeVisible();
  expect((await fetch(second)).status).toBe(404);
});
