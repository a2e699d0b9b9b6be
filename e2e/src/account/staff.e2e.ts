import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expect, expectAccessible, notification, picture, record, test } from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { logInAs } from '../support/log-in.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { book } from '../support/bookings.ts';
import { Effort } from '../support/effort.ts';
import { followMail } from '../support/mailbox.ts';
import { confirmAddress, expectOk, openOffice, ours, read, registerPatient, signIn } from '../support/people.ts';

const password = 'four-words-in-a-row';
test('a doctor is invited with a profile, accepts, and can be booked once their hours are set', async ({
  page,
  browser,
}, { project }) => {
  const name = `Dr. Ines ${project.name} ${Date.now()}`;
  const email = `ines.${project.name}.${Date.now()}@clinic.example`;
  await logInAs(page, 'admin', '/dash/admin');
  const effort = new Effort();
  await effort.click(page.getByRole('link', { name: 'Add staff' }));
  await expect(page.getByRole('heading', { name: 'What will they work as?' })).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'staff role');
  await effort.click(page.getByRole('button', { name: 'Next' }));
  await effort.fill(page.getByLabel('Email address'), email);
  await effort.click(page.getByRole('button', { name: 'Next' }));
  await effort.fill(page.getByLabel('Name', { exact: true }), name);
  await effort.fill(page.getByLabel('Qualification'), 'MBBS, FCPS');
  await effort.fill(page.getByLabel('Specialization'), 'Dermatology');
  await effort.fill(page.getByLabel('Experience'), '6');
  await effort.click(page.getByRole('button', { name: 'Next' }));
  await effort.click(page.getByRole('button', { name: 'Create the invitation' }));
  effort.expectToBe('make a doctor', { clicks: 5, fields: 5 });
  const link = await page.getByLabel('Invitation link').inputValue();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'staff link');

  const theirPage = await browser.newPage();
  await theirPage.goto(new URL(link).pathname + new URL(link).search);
  await expect(theirPage.getByRole('heading', { name: 'Work here as a doctor' })).toBeVisible();
  await expectAccessible(theirPage);
  await picture(theirPage, 'staff invited');
  await theirPage.getByLabel('Phone').fill('+880 1555 777004');
  await theirPage.getByLabel('Date of Birth').fill('1985-04-01');
  await theirPage.getByLabel('Password', { exact: true }).fill(password);
  await theirPage.getByRole('button', { name: 'Create my account' }).click();
  await theirPage.getByRole('link', { name: 'Open the demo mailbox' }).click();
  await followMail(theirPage, 'Confirm your email address', 'Confirm this address');
  await theirPage.getByLabel('Password', { exact: true }).fill(password);
  await theirPage.getByRole('button', { name: 'Log in and confirm' }).click();
  await theirPage.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(theirPage).toHaveURL('/dash/doctorAppoinments');
  await theirPage.close();

  const doctors = async () => read<Doctor[]>(await page.request.get(`/doctors?email=${email}`));
  // svc-clinic is notified within a second.
  await expect.poll(doctors).toHaveLength(1);
  const [doctor] = await doctors();
  await page.goto('/ourDoctors');
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText('Showing 1 doctor(s)')).toBeVisible();
  // A doctor is closed until somebody sets their hours.
  await expect(page.getByRole('link', { name: /, book with / })).toHaveCount(0);
  const availableTimes = ['09:00', '11:00', '14:00', '19:30'];
  await expectOk(await page.request.patch(`/doctors/${doctor?._id}`, { data: { availableTimes }, headers: ours }));
  await page.reload();
  await expect(page.getByRole('link', { name: /, book with / }).first()).toBeVisible();
  await page.goto('/dash/staff');
  await expect(record(page, 'Invitations', email)).toContainText('Accepted');
});

test('a doctor who leaves can no longer be booked, and their patient moves to a colleague', async ({
  page,
  request,
  baseURL,
  playwright,
}, { project }) => {
  const stamp = `${project.name}.${Date.now()}`;
  const names = { leaves: `Dr. Omar ${stamp}`, stays: `Dr. Lea ${stamp}` };
  const office = await openOffice(baseURL);
  const join = async (name: string, first: string) => {
    const doctor = { ...(await registerPatient(request, first, project.name)), password: 'Secret-77' };
    const api = await playwright.request.newContext({ baseURL, extraHTTPHeaders: ours });
    await confirmAddress(api, doctor);
    const token = await office.inviteDoctor(doctor.email, name, ['09:00', '10:00', '11:00']);
    expect((await api.post('/staff/invitation/accept', { data: { token } })).status()).toBe(200);
    await api.dispose();
    await expect
      .poll(async () => ((await (await request.get(`/doctors?email=${doctor.email}`)).json()) as unknown[]).length)
      .toBe(1);
    return doctor;
  };
  const omar = await join(names.leaves, 'Omar');
  const lea = await join(names.stays, 'Lea');
  const patient = await registerPatient(request, 'Pia', project.name);
  const api = await playwright.request.newContext({ baseURL, extraHTTPHeaders: ours });
  await signIn(api, patient);
  const booking = {
    patientname: 'Pia Live',
    patientemail: patient.email,
    date: dayFromNow(7),
    time: '10:00',
    doctoremail: omar.email,
  };
  const booked = await book(api, booking);

  await logInAs(page, 'admin', '/dash/admin');
  const effort = new Effort();
  await effort.fill(page.getByRole('searchbox'), omar.email);
  await effort.choose(record(page, 'Users', omar.email).getByRole('combobox', { name: /^Role of/ }), {
    label: 'Patient',
  });
  const dialog = page.getByRole('dialog', { name: /upcoming appointments?$/ });
  await effort.choose(dialog.getByRole('combobox', { name: /^What to do with the appointment of Pia Live/ }), {
    label: 'Move to a colleague',
  });
  await effort.choose(dialog.getByLabel('Colleague'), { label: `${names.stays}, Dermatology` });
  await expect(dialog.getByLabel('Time')).toHaveValue('10:00');
  await effort.choose(dialog.getByLabel('What the patient said'), { label: 'They agreed' });
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'staff leaving');
  await effort.click(dialog.getByRole('button', { name: 'Remove the role and do this' }));
  await expect(notification(page, 'Omar Live is now Patient')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  effort.expectToBe('a doctor with one appointment leaves', { clicks: 1, fields: 5 });

  const now = (await (
    await api.get(`/appoinments?email=${encodeURIComponent(patient.email)}`)
  ).json()) as Appointment[];
  expect(now.map(({ _id, doctoremail, date, time }) => [_id, doctoremail, date, time])).toEqual([
    [booked._id, lea.email, booking.date, '10:00'],
  ]);
  // svc-clinic is notified within a second.
  await expect
    .poll(async () =>
      ((await (await request.get(`/doctors?email=${omar.email}`)).json()) as Doctor[]).map(
        ({ isAvailable }) => isAvailable,
      ),
    )
    .toEqual([false]);
  await expect(book(api, { ...booking, time: '11:00' })).rejects.toThrow('isn’t taking new appointments');
  await api.dispose();
  await office.close();
});
