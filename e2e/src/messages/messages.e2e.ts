import type { Appointment, Doctor, FreeTimes } from '@clinic/svc-clinic/contract/schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { APIRequestContext, Page } from '@playwright/test';
import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, picture, test } from '../support/clinic.ts';
import { dayFromNow, written } from '../support/days.ts';
import { book } from '../support/bookings.ts';
import { signIn } from '../support/people.ts';

const patient = { email: demoAccounts.patient, password: demoPassword };

/** Books the first free time of a day for the demo's patient. */
async function bookOn(request: APIRequestContext, date: string): Promise<Appointment> {
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 2);
  if (!doctor) throw new Error('the demo clinic has no doctor with times');
  const free = (await (await request.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as FreeTimes;
  return book(request, {
    patientname: 'Mina Mail',
    patientemail: patient.email,
    date,
    time: free.times[0] ?? '',
    doctoremail: doctor.email,
  });
}

/** Opens the newest mail to the demo's patient whose subject matches, once it has arrived. */
async function openMail(page: Page, subject: RegExp): Promise<void> {
  await page.goto(`/mailbox?q=${encodeURIComponent(patient.email)}`);
  const mail = page.getByRole('list', { name: 'Emails' }).getByRole('button', { name: subject }).first();
  await expect(async () => {
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(mail).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await mail.click();
}

test('a booked appointment is in the demo’s mailbox, and its mail’s link cancels it', async ({ page }) => {
  await signIn(page.request, patient);
  const date = dayFromNow(74);
  const { _id } = await bookOn(page.request, date);

  await openMail(page, new RegExp(`on ${written(date).replace(/, \d+$/, '')} at .* is booked`));
  const mail = page.frameLocator('iframe');
  const cancel = mail.getByRole('link', { name: /Cancel/ });
  await expect(cancel).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'demo mailbox');

  const [tab] = await Promise.all([page.context().waitForEvent('page'), cancel.click()]);
  await expect(tab.getByRole('heading', { level: 1, name: 'Cancel this appointment?' })).toBeVisible();
  await expectAccessible(tab);
  await expectToFitPhone(tab);
  await picture(tab, 'message action');
  const link = tab.url();
  await tab.getByRole('button', { name: 'Cancel my appointment' }).click();
  await expect(tab.getByRole('heading', { level: 1, name: 'Your appointment is cancelled' })).toBeVisible();
  const mine = (await (
    await page.request.get(`/appoinments?email=${encodeURIComponent(patient.email)}&q=Mina&status=Cancelled`)
  ).json()) as Appointment[];
  expect(mine.map((one) => one._id)).toContain(_id);

  await tab.goto(link);
  await expect(tab.getByRole('heading', { level: 1, name: 'This link can’t be used any more' })).toBeVisible();
  await expectAccessible(tab);
  await expectToFitPhone(tab);
  await tab.close();

  await test.step('the patient finds both messages, and the admin the ledger', async () => {
    await page.goto('/dash/account');
    await page.getByRole('link', { name: 'My notifications' }).click();
    await expect(page.getByText('Appointment cancelled').first()).toBeVisible();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'my notifications');
    await signIn(page.request, { email: demoAccounts.admin, password: demoPassword });
    await page.goto(`/dash/messages?q=${encodeURIComponent(patient.email)}`);
    await page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toContainText('Attempts');
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'message details');
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await picture(page, 'messages');
    await page.goto('/dash/messages/kinds');
    await expect(page.frameLocator('iframe').getByRole('heading').first()).toBeVisible();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'message kinds');
  });
});
