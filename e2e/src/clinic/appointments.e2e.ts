import { readFile } from 'node:fs/promises';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Page, TestInfo } from '@playwright/test';
import { expect, expectAccessible, notification, picture, pressAction, record, test } from '../support/clinic.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { dayFromNow, written } from '../support/days.ts';
import { logInAs } from '../support/log-in.ts';

// Serial: each test continues with the appointment of the previous one.
test.describe.configure({ mode: 'serial' });

/** Each retry has its own patient and days. */
function cast({ retry }: TestInfo) {
  const [day = '', movedTo = '', adminDay = ''] = [0, 2, 4].map((later) => dayFromNow(86 + later + 6 * retry));
  return { patient: `${['Kira', 'Mira', 'Vira'][retry % 3]} Desk`, day, movedTo, adminDay };
}

/** Goes to a day in a calendar by keyboard alone. */
async function chooseDayByKeyboard(page: Page, date: string): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Days' });
  await grid.locator('button[tabindex="0"]').focus();
  const shown = async (): Promise<string> => (await grid.locator('td:focus-within').getAttribute('data-day')) ?? '';
  while ((await shown()).slice(0, 7) < date.slice(0, 7)) {
    const before = await shown();
    await page.keyboard.press('PageDown');
    await expect.poll(shown).not.toBe(before);
  }
  while ((await shown()) !== date) {
    const before = await shown();
    await page.keyboard.press(before < date ? 'ArrowRight' : 'ArrowLeft');
    await expect.poll(shown).not.toBe(before);
  }
  await expect(grid.locator('button:focus')).toHaveAccessibleName(/\d+ free times?$/);
  await page.keyboard.press('Enter');
}

test('a patient in another time zone books by keyboard and moves the appointment; the doctor sees both without reloading', async ({
  page: doctor,
  browser,
}, info) => {
  const { patient: name, day, movedTo } = cast(info);
  const patient = await browser.newPage({ timezoneId: 'Pacific/Kiritimati' });
  await logInAs(doctor, 'doctor', `/dash/doctorAppoinments?q=${encodeURIComponent(name)}&when=coming`);
  await expect(doctor.getByText('No appointments match')).toBeVisible();

  await test.step('book', async () => {
    await logInAs(patient, 'patient', '/dash/patient');
    const [{ _id } = { _id: '' }] = (await (await patient.request.get('/doctors?q=akter')).json()) as Doctor[];
    await patient.goto(`/appoinment/${_id}`);
    // Filled in from earlier visits: wait, so that it doesn't mix with what the test types.
    await expect(patient.getByLabel('Address')).not.toHaveValue('');
    await patient.getByLabel('Patient name').fill(name);
    await patient.getByLabel('Age').fill('41');
    await patient.getByLabel('Phone number').fill('+880 1555 777123');
    await patient.getByLabel('Address').fill('9 Garden Street, Dhaka');
    await chooseDayByKeyboard(patient, day);
    await expect(patient.getByLabel('Date', { exact: true })).toHaveValue(day);
    await patient.getByRole('radio', { name: '10:30 AM' }).check();
    await expectAccessible(patient);
    await picture(patient, 'clinic booking by calendar');
    await patient.getByRole('button', { name: 'Book Appointment' }).click();
    await expect(notification(patient, 'appoinment created')).toBeVisible();
    const booked = patient.getByRole('region', { name: 'Your new appointment' });
    await expect(booked).toContainText(`${written(day)} at 10:30 AM`);
    await expect(booked.getByRole('button', { name: /^Reschedule/ })).toBeVisible();
    await expect(record(patient, 'Record', name)).toContainText(written(day));
    await expect(record(patient, 'Record', name)).toContainText('10:30 AM');
  });
  await expect(record(doctor, 'Record', name)).toContainText(written(day));

  await test.step('move it', async () => {
    await patient.goto('/dash/patient');
    await pressAction(record(patient, 'All My Appoinments', name), /^Reschedule/);
    const dialog = patient.getByRole('dialog', { name: 'Reschedule' });
    await expect(dialog.getByRole('button', { name: 'Reschedule' })).toBeDisabled();
    await dialog.getByLabel('Date', { exact: true }).fill(movedTo);
    await dialog.getByRole('radio', { name: '11:00 AM' }).check();
    await expectAccessible(patient);
    await expectToFitPhone(patient);
    await picture(patient, 'clinic reschedule');
    // Rotating a phone turns the cards behind the dialog into a table without losing the choice.
    for (const size of [
      { width: 390, height: 844 },
      { width: 844, height: 390 },
    ]) {
      await patient.setViewportSize(size);
      await expect(dialog.getByRole('radio', { name: '11:00 AM' })).toBeChecked();
    }
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await expect(
      notification(patient, new RegExp(`Dr. Tahmina Akter moved to ${written(movedTo)} at 11:00 AM`)),
    ).toBeVisible();
    await expect(record(patient, 'All My Appoinments', name)).toContainText(written(movedTo));
  });
  await expect(record(doctor, 'Record', name)).toContainText(written(movedTo));

  await test.step('add it to a calendar', async () => {
    const download = patient.waitForEvent('download');
    await pressAction(record(patient, 'All My Appoinments', name), /^Add to calendar/);
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toContain(`DTSTART;TZID=Asia/Dhaka:${movedTo.replaceAll('-', '')}T110000`);
    expect(file).toContain('SEQUENCE:1');
  });

  await test.step('see its history', async () => {
    await pressAction(record(patient, 'All My Appoinments', name), /^History/);
    const history = patient.getByRole('dialog', { name: /^History/ });
    await expect(history.getByRole('listitem').first()).toContainText('Moved from');
    await expect(history.getByRole('listitem').last()).toContainText('Booked');
    await expectAccessible(patient);
    await picture(patient, 'clinic history');
  });
  await patient.context().close();
});

test('the doctor sees the day with the next patient first, and sets working hours', async ({ page }, info) => {
  const { patient: name, movedTo } = cast(info);
  // Eight in the morning in Dhaka: all of the demo's appointments today are still ahead.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Dhaka' }).format(new Date());
  await page.clock.setFixedTime(new Date(`${today}T02:00:00Z`));
  await logInAs(page, 'doctor', '/dash/doctorAppoinments');
  const next = page.getByRole('article', { name: 'Next patient' });
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expect(next.getByRole('link', { name: /^Call / })).toHaveAttribute('href', /^tel:\+?\d+$/);
  await expect(next.getByRole('button', { name: /^Map of / })).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'clinic today');

  await page.goto('/dash/dProfile');
  const hours = page.getByRole('form', { name: 'My hours' });
  const outside = page.getByRole('list', { name: 'Booked outside these hours' });
  const week = hours.getByRole('list', { name: 'Weekly hours' });
  const save = async (): Promise<void> => {
    await hours.getByRole('button', { name: 'Save my hours' }).click();
    await expect(hours.getByText('Not saved yet.')).toBeHidden();
  };
  await expect(week.getByLabel('Monday, from').first()).toHaveValue('09:00');
  await test.step('hours, on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await week.getByRole('button', { name: 'Add hours on Friday' }).filter({ visible: true }).click();
    await week.getByLabel('Friday, until').last().fill('21:00');
    await save();
    await expect(notification(page, /^Your hours are saved/)).toBeVisible();
    await page.reload();
    await expect(week.getByLabel('Friday, until').last()).toHaveValue('21:00');
    await expectAccessible(page);
    await picture(page, 'clinic my hours');
    await week.getByRole('button', { name: 'Remove these hours on Friday' }).last().click();
    await save();
  });
  await test.step('a day off, at a desk', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const grid = hours.getByRole('grid', { name: 'Days off' });
    const label = grid.getByRole('button', { name: written(movedTo) });
    while (!(await label.isVisible())) await hours.getByRole('button', { name: 'Go to the Next Month' }).click();
    await label.click();
    await expect(label).toHaveAccessibleName(/chosen/);
    await expect(hours.getByText(/booked outside these hours$/)).toBeVisible();
    await save();
    await expect(
      notification(page, /^Your hours are saved\. \d+ appointments? (is|are) booked outside them/),
    ).toBeVisible();
    await expect(outside.getByRole('listitem').filter({ hasText: name })).toContainText(written(movedTo));
    await expectAccessible(page);
    await picture(page, 'clinic booked on a day off');
    await hours.getByRole('button', { name: `Remove Off, ${written(movedTo)}` }).click();
  });
  await expectAccessible(page);
  await save();
  await expect(outside.getByRole('listitem').filter({ hasText: name })).toHaveCount(0);
});

test('the admin finds the appointment by day, moves it and sees who did what', async ({ page }, info) => {
  const { patient: name, adminDay } = cast(info);
  await logInAs(page, 'admin', '/dash/appoinments');
  await page.getByRole('combobox', { name: 'Date' }).selectOption('From today');
  await page.getByRole('searchbox').fill(name);
  await expect(page).toHaveURL(/when=coming/);
  await expect(page).toHaveURL(/q=.ira/);
  await pressAction(record(page, 'Appointments', name), /^Reschedule/);
  const dialog = page.getByRole('dialog', { name: 'Reschedule' });
  await dialog.getByLabel('Date', { exact: true }).fill(adminDay);
  await dialog.getByRole('radio', { name: '9:00 AM' }).check();
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await expect(record(page, 'Appointments', name)).toContainText(written(adminDay));
  await expectAccessible(page);
  await picture(page, 'clinic admin');
  await pressAction(record(page, 'Appointments', name), /^History/);
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('by admin@clinic.example');

  const answer = await page.request.get(`/appoinments?q=${encodeURIComponent(name)}`);
  const held = (await answer.json()) as Appointment[];
  expect(held.map(({ date, time }) => `${date} ${time}`)).toEqual([`${adminDay} 09:00`]);
});
