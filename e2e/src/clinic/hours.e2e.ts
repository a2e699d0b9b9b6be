import { demoPassword } from '@clinic/demo-data/people';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expect, expectAccessible, notification, openMenu, picture, test } from '../support/clinic.ts';
import { dayFromNow, written } from '../support/days.ts';
import { logIn } from '../support/log-in.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { book } from '../support/bookings.ts';
import { confirmAddress, registerPatient, signIn } from '../support/people.ts';

const weekday = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

test('a doctor sets hours, moves an appointment that a day off strands, and a patient books the new time', async ({
  page,
  browser,
  request,
}, { project }) => {
  // A doctor whose hours no other test depends on.
  const email = 'peter.hofmann@clinic.example';
  const [off, next] = [dayFromNow(53), dayFromNow(54)];
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find((one) => one.email === email);
  if (!doctor) throw new Error(`the demo clinic lacks ${email}`);
  const patient = await registerPatient(request, 'Nila', project.name);
  await confirmAddress(request, patient);
  await signIn(request, patient);
  await book(request, {
    patientname: 'Nila Live',
    patientemail: patient.email,
    date: off,
    time: '09:30',
    doctoremail: email,
  });

  await logIn(page, email, demoPassword, '/dash/dProfile');
  const hours = page.getByRole('form', { name: 'My hours' });
  const week = hours.getByRole('list', { name: 'Weekly hours' });

  await test.step('set evening hours with a room', async () => {
    await week
      .getByRole('button', { name: `Add hours on ${weekday(next)}` })
      .filter({ visible: true })
      .click();
    await week
      .getByLabel(`${weekday(next)}, from`)
      .last()
      .fill('18:00');
    await week
      .getByLabel(`${weekday(next)}, until`)
      .last()
      .fill('17:00');
    await expect(week.getByRole('alert')).toHaveText('The end must be after the start');
    await week
      .getByLabel(`${weekday(next)}, until`)
      .last()
      .fill('19:00');
    await expect(week.getByRole('alert')).toBeHidden();
    await week
      .getByRole('button', { name: new RegExp(`lace (of|for) these hours on ${weekday(next)}`) })
      .filter({ visible: true })
      .last()
      .click();
    await week
      .getByLabel(`${weekday(next)}, place`)
      .last()
      .fill('Evening clinic, Room 2');
    await expectAccessible(page);
    await picture(page, 'clinic hours');
    await hours.getByRole('button', { name: 'Save my hours' }).click();
    await expect(notification(page, 'Your hours are saved')).toBeVisible();
  });

  await test.step('leaving asks about unsaved hours, and saved ones can be undone', async () => {
    const takes = hours.getByRole('switch', { name: 'I take appointments' });
    await takes.uncheck();
    await openMenu(page);
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Records' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page).toHaveURL('/dash/dProfile');
    await hours.getByRole('button', { name: 'Save my hours' }).click();
    // Until then, Undo takes back the evening hours.
    await expect(hours.getByText('Not saved yet.')).toBeHidden();
    const undo = page.getByRole('button', { name: /^Undo: Your hours are saved/ });
    await expect(undo).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(notification(page, 'Your hours are as they were')).toBeVisible();
    await expect(takes).toBeChecked();
  });

  await test.step('a day off strands the appointment', async () => {
    await hours.getByRole('button', { name: 'Add time off or extra hours' }).click();
    const dialog = page.getByRole('dialog', { name: 'Time off or extra hours' });
    await dialog.getByLabel('First day').fill(off);
    await expectAccessible(page);
    await expectToFitPhone(page);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(hours.getByText(`Nila Live, ${written(off)} at 9:30 AM`)).toBeVisible();
    await hours.getByRole('button', { name: 'Save my hours' }).click();
    await expect(notification(page, /1 appointment is booked outside them/)).toBeVisible();
  });

  await test.step('the doctor moves it', async () => {
    const outside = page.getByRole('list', { name: 'Booked outside these hours' });
    await outside.getByRole('button', { name: /^Decide about Nila Live/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Nila Live/ });
    await dialog.getByLabel('Day', { exact: true }).fill(next);
    await dialog.getByLabel('Time', { exact: true }).selectOption('6:00 PM');
    await dialog.getByLabel('The patient').selectOption('They agreed');
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'clinic decide about an appointment');
    await dialog.getByRole('button', { name: 'Move it' }).click();
    await expect(notification(page, 'The appointment of Nila Live is moved')).toBeVisible();
    await expect(outside).toBeHidden();
  });

  await test.step('the patient sees it, and books the time after it', async () => {
    const context = await browser.newContext();
    const theirs = await context.newPage();
    await logIn(theirs, patient.email, patient.password, '/dash/patient');
    await expect(theirs.getByText(written(next)).first()).toBeVisible();
    await theirs.goto(`/appoinment/${doctor._id}`);
    await theirs.getByLabel('Date').fill(off);
    await expect(theirs.getByText(/^There are no free times on/)).toBeVisible();
    await theirs.getByLabel('Date').fill(next);
    await theirs.getByRole('radio', { name: '6:30 PM' }).check();
    await expect(theirs.getByRole('radio', { name: '6:00 PM' })).toHaveCount(0);
    await expect(theirs.getByText('Evening clinic, Room 2', { exact: true })).toBeVisible();
    // Filled in from the registration: wait, so that it doesn't mix with what the test types.
    await expect(theirs.getByLabel('Age')).toHaveValue(/^\d+$/);
    await theirs.getByLabel('Age').fill('40');
    await theirs.getByLabel('Phone number').fill('+880 1555 777004');
    await theirs.getByLabel('Address').fill('5 Lake Road');
    await expectAccessible(theirs);
    await theirs.getByRole('button', { name: 'Book Appointment' }).click();
    await expect(notification(theirs, 'appoinment created')).toBeVisible();
    await context.close();
  });
});
