import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { book } from '../support/bookings.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, notification, picture, test } from '../support/clinic.ts';
import { DayOffice } from '../support/clinic-today.ts';
import { dayFromNow, written } from '../support/days.ts';
import { logIn, logInAs } from '../support/log-in.ts';
import { confirmAddress, ours, registerPatient } from '../support/people.ts';

test('a doctor falls ill: the day goes to colleagues after a preview, and comes back with Undo', async ({
  page,
  request,
}) => {
  // On days that no other test books.
  const email = 'farhana.siddiqui@clinic.example';
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find((one) => one.email === email);
  if (!doctor) throw new Error(`the demo clinic lacks ${email}`);
  const freeOf = async ({ _id }: Pick<Doctor, '_id'>, date: string): Promise<readonly string[]> =>
    ((await (await request.get(`/doctors/${_id}/free-times?date=${date}`)).json()) as { times: string[] }).times;
  const colleagues = doctors.filter((one) => one.specialty === doctor.specialty && one._id !== doctor._id);
  let ahead = 50;
  const shared = async (): Promise<readonly string[]> => {
    const others = await Promise.all(colleagues.map((one) => freeOf(one, dayFromNow(ahead))));
    return (await freeOf(doctor, dayFromNow(ahead))).filter((time) => others.flat().includes(time));
  };
  let times = await shared();
  for (; times.length < 1 && ahead < 85; times = await shared()) ahead += 1;
  const [time = ''] = times;
  const day = dayFromNow(ahead);
  const name = `Moved ${Date.now().toString(36)}`;

  await logInAs(page, 'admin', `/dash/calendar?doctor=${doctor._id}&date=${day}&view=day`);
  await book(page.request, {
    patientname: name,
    patientemail: `${name.replace(' ', '.').toLowerCase()}@mail.example`,
    date: day,
    time,
    doctoremail: email,
  });
  const visit = page.getByRole('button', { name: new RegExp(`^${name}, .*${written(day)}`) });
  await expect(visit).toBeVisible();

  await page.getByRole('button', { name: 'Move the day …' }).click();
  const dialog = page.getByRole('dialog', { name: `Move the day of ${doctor.name}` });
  const planned = dialog.getByRole('list', { name: 'What happens' }).getByRole('listitem').filter({ hasText: name });
  await expect(planned).toContainText(/The patient gets a message: with Dr\. .+ instead of/);
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'move-day');
  await dialog.getByRole('button', { name: /^Move \d+ appointments?$/ }).click();
  await expect(notification(page, /appointments? (is|are) moved/)).toBeVisible();
  await expect(visit).toHaveCount(0);
  expect(await freeOf(doctor, day)).toEqual([]);
  await page.getByRole('button', { name: 'Open again' }).first().click();
  await expect(notification(page, /open to bookings again/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(notification(page, /appointments? (is|are) back/)).toBeVisible();
  await page.goto(`/dash/calendar?doctor=${doctor._id}&date=${day}&view=day`);
  await expect(visit).toBeVisible();
});

test('a patient says the code of My Appointments at the desk, and has arrived', async ({
  page,
  browser,
  playwright,
  request,
  baseURL,
}, { project }) => {
  const office = await playwright.request.newContext({ baseURL, extraHTTPHeaders: ours });
  const day = await DayOffice.open(office);
  // Nobody else books this doctor's times.
  const doctor = await day.newDoctor(request, project.name);
  const patient = await registerPatient(request, 'Cora', project.name, doctor.lastName);
  const name = `${patient.firstName} ${patient.lastName}`;
  await confirmAddress(request, patient);
  await day.book(doctor, name, patient.email, 1);
  await office.dispose();

  await logIn(page, patient.email, patient.password, '/dash/patient');
  const code = page.getByText(/^At the desk, say/).locator('strong');
  await expect(code).toHaveText(/^[2-9A-Z]{4}$/);
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'own-code');
  const said = (await code.innerText()).toLowerCase();

  const atDesk = await browser.newContext();
  const desk = await atDesk.newPage();
  await logInAs(desk, 'admin', '/dash/reception');
  await desk.getByRole('textbox', { name: 'Patient’s code' }).fill(said);
  await desk.keyboard.press('Enter');
  await expect(notification(desk, new RegExp(`^${name}, .*: arrived, no\\. \\d+`))).toBeVisible();
  await expectAccessible(desk);
  await expectToFitPhone(desk);
  await picture(desk, 'reception-code');
  await atDesk.close();

  await page.reload();
  await expect(page.getByText('Your number')).toBeVisible();
  await expect(code).toHaveCount(0);
});
