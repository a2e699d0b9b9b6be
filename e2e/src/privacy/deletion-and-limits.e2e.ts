import { readFile } from 'node:fs/promises';
import { test as outageTest } from '../support/first-use.ts';
import type { Deletion } from '@clinic/svc-identity/contract/schemas';
import type { Doctor, FreeTimes } from '@clinic/svc-clinic/contract/schemas';
import { expect, expectAccessible, notification, picture, record, test } from '../support/clinic.ts';
import { dayFromNow, freeDayFrom } from '../support/days.ts';
import { logIn, logInAs } from '../support/log-in.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { book } from '../support/bookings.ts';
import { firebase, registerPatient, signIn } from '../support/people.ts';

// Outages may log to the console.
outageTest(
  'a person takes a copy of their data; an admin deletes them, sees what will happen, types the email, and continues after an outage',
  async ({ page, browser, request }, { project }) => {
    const ola = await registerPatient(request, 'Ola', project.name);
    const theirs = await browser.newContext();
    const theirPage = await theirs.newPage();
    await logIn(theirPage, ola.email, ola.password, '/dash/account');
    await outageTest.step('a copy of one’s own data', async () => {
      const [download] = await Promise.all([
        theirPage.waitForEvent('download'),
        theirPage.getByRole('button', { name: 'Download my data' }).click(),
      ]);
      const copy = JSON.parse(await readFile(await download.path(), 'utf8')) as {
        person: string;
        account: { user: { email: string; firstName: string }[] };
      };
      expect(copy.person).toBe(ola.email);
      expect(copy.account.user.map(({ email, firstName }) => ({ email, firstName }))).toEqual([
        { email: ola.email, firstName: 'Ola' },
      ]);
      await expect(notification(theirPage, 'The file is in your downloads')).toBeVisible();
    });

    const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
    const doctor = doctors.find(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 0);
    const { _id } = await book(theirs.request, {
      patientname: 'Ola Live',
      patientemail: ola.email,
      time: doctor?.availableTimes[0] ?? '',
      doctoremail: doctor?.email ?? '',
      // A unique day for every device and run.
      date: dayFromNow(
        200 + (project.name === 'phone' ? 0 : 300) + (Number(ola.email.replaceAll(/\D/g, '').slice(-5)) % 300),
      ),
    });

    await logInAs(page, 'admin', '/dash/admin');
    await page.getByRole('searchbox').fill(ola.email);
    const row = record(page, 'Users', ola.email);
    await row.getByRole('button', { name: 'Account of Ola Live' }).click();
    await page.getByRole('button', { name: 'Delete …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Ola Live' });
    await expect(dialog.getByText('This can’t be undone.')).toBeVisible();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'admin deletion asks');

    await outageTest.step('another email deletes nobody', async () => {
      await dialog.getByLabel(/^Type .* to confirm$/).fill('somebody@else.example');
      await dialog.getByRole('button', { name: 'Delete Ola Live' }).click();
      await expect(dialog.getByText('This isn’t their email address')).toBeVisible();
      expect((await page.request.get(`/users/${ola.email}`)).status()).toBe(200);
    });

    await outageTest.step('a service that is down is named, and the rest goes on without the page', async () => {
      // Not unrouted: a response under way would have been handled already.
      let isDown = true;
      await page.route('**/users/deletions/*', async (route) => {
        if (!isDown) return route.fallback();
        const response = await route.fetch();
        const { finishedAt: _later, ...deletion } = (await response.json()) as Deletion;
        const services = deletion.services.map((part) =>
          part.service === 'pharmacy' ? { ...part, state: 'waiting', lastSeenAt: '2026-01-01T00:00:00.000Z' } : part,
        );
        await route.fulfill({ response, json: { ...deletion, services, account: { state: 'waiting' } } });
      });
      await dialog.getByLabel(/^Type .* to confirm$/).fill(ola.email);
      await dialog.getByRole('button', { name: 'Delete Ola Live' }).click();
      await expect(dialog.getByText('You can close this: the clinic goes on by itself.')).toBeVisible();
      await expect(dialog.getByText(/^This part of the clinic isn’t running/)).toBeVisible();
      await expect(dialog.getByText('1 appointment cancelled')).toBeVisible();
      await expect(theirPage).toHaveURL(/\/login/);
      await expectAccessible(page);
      await expectToFitPhone(page);
      await picture(page, 'admin deletion halfway');
      isDown = false;
      await expect(dialog.getByText('Ola Live is deleted')).toBeVisible();
      await expectAccessible(page);
      await picture(page, 'admin deletion done');
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await expect(row).toHaveCount(0);
    });

    const history = (await (await page.request.get(`/appoinments/events?record=${_id}`)).json()) as {
      action: string;
    }[];
    expect(history.map(({ action }) => action)).toEqual(['status changed', 'booked']);
    expect(JSON.stringify(history)).not.toContain(ola.email);
    await expect(
      firebase(request, 'signInWithPassword', { email: ola.email, password: ola.password }),
    ).rejects.toThrow();
    await theirs.close();
  },
);

test('the booking form says why a patient can’t book any more appointments, and what to do', async ({ page, request }, {
  project,
}) => {
  const nia = await registerPatient(request, 'Nia', project.name);
  await signIn(page.request, nia);
  await page.route('**/appoinments', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const detail =
      'You have 10 upcoming appointments, the most you can have at a time. Cancel one you don’t need, or call the clinic to book more.';
    return route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        status: 409,
        code: 'too_many_appointments',
        title: 'Too many upcoming appointments',
        detail,
      }),
    });
  });
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 0);
  if (!doctor) throw new Error('the demo clinic has no doctor with times');
  // Not the soonest time, which passes or which others book meanwhile.
  const date = await freeDayFrom(request, doctor._id, 45);
  const { times } = (await (await request.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as FreeTimes;
  await page.goto(`/appoinment/${doctor._id}?date=${date}&time=${times.at(-1)}`);
  // Filled in from the registration: wait, so that it doesn't mix with what the test types.
  await expect(page.getByLabel('Age')).toHaveValue(/^\d+$/);
  await page.getByLabel('Age').fill('30');
  await page.getByLabel('Phone number').fill('+880 1555 777002');
  await page.getByLabel('Address').fill('1 Road');
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'Book Appointment' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'You have 10 upcoming appointments' })).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'booking too many');
});
