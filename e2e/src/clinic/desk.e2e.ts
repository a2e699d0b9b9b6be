import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, notification, picture, test } from '../support/clinic.ts';
import { dayFromNow, written } from '../support/days.ts';
import { logInAs } from '../support/log-in.ts';
import { Effort } from '../support/effort.ts';

test('the desk books from the calendar by keyboard: a new patient, the same one again, and a walk-in', async ({
  page,
  request,
}, { project }) => {
  // On days that no other test books.
  const email = 'farhana.siddiqui@clinic.example';
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find((one) => one.email === email);
  if (!doctor) throw new Error(`the demo clinic lacks ${email}`);
  const free = async (date: string): Promise<string[]> =>
    ((await (await request.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as { times: string[] }).times;
  let ahead = 24;
  while ((await free(dayFromNow(ahead))).length < 2) ahead += 1;
  const day = dayFromNow(ahead);
  const surname = `Desk${project.name}${Date.now().toString(36)}`;
  const name = `Rahim ${surname}`;
  const slots = page.getByRole('button', { name: new RegExp(`^Free, .*${written(day)}`) });
  const dialog = page.getByRole('dialog');
  const visit = page.getByRole('button', { name: new RegExp(`^${name}, .*${written(day)}`) });

  await logInAs(page, 'admin', `/dash/calendar?doctor=${doctor._id}&date=${day}&view=day`);

  await test.step('a new patient: a name and a phone number', async () => {
    await slots.first().focus();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Patient' })).toBeFocused();
    await expect(dialog.getByRole('combobox', { name: 'Patient' })).toHaveValue('');
    await page.keyboard.type(name);
    await expect(dialog.getByRole('option', { name: `New patient: ${name}` })).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Phone number or email')).toBeFocused();
    await page.keyboard.type('01711 000111');
    await expectAccessible(page);
    await picture(page, 'desk-new-patient');
    await page.keyboard.press('Enter');
    await expect(notification(page, 'appoinment created')).toBeVisible();
    await expect(notification(page, `${name} with ${doctor.name}, ${written(day)}`)).toContainText(
      'tell the patient now',
    );
    await expect(visit).toBeFocused();
    await expect(page).toHaveURL(new RegExp(`doctor=${doctor._id}&date=${day}`));
    await picture(page, 'desk-calendar');
  });

  await test.step('known by now: found, a reason, booked', async () => {
    const effort = new Effort();
    await effort.click(slots.first());
    await effort.fill(dialog.getByRole('combobox', { name: 'Patient' }), surname);
    const found = dialog.getByRole('option', { name: new RegExp(`^${name}.*01711 000111.*no email.*${doctor.name}`) });
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await picture(page, 'desk-found');
    await effort.press(page, 'Enter');
    await expect(dialog.getByLabel('Reason for the visit')).toBeFocused();
    await expectAccessible(page);
    await effort.press(page, 'Enter');
    await expect(visit).toHaveCount(2);
    effort.expectToBe('book a known patient from the calendar', { clicks: 1, fields: 1, keys: 2 });
  });

  await test.step('what was booked says what isn’t known', async () => {
    await visit.first().click();
    await expect(dialog.getByText('None', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await page.keyboard.press('Escape');
  });

  await test.step('a walk-in is offered the next free time of any doctor', async () => {
    await page.getByRole('button', { name: 'Walk-in' }).click();
    await expect(dialog.getByLabel('Next free time')).toContainText(/Dr\. .+, \d+:\d\d [AP]M/);
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'desk-walk-in');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('the calendar of all doctors', async () => {
    await page.goto(`/dash/calendar?date=${day}`);
    await expect(page.getByRole('heading', { level: 3, name: new RegExp(doctor.name) })).toBeAttached();
    const first = page.getByRole('heading', { level: 3 }).first();
    await expect(first).toContainText(/, \d+ appointments?$/);
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'desk-all-doctors');
  });
});
