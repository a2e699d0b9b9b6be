import type { Locator } from '@playwright/test';
import { demoAccounts } from '@clinic/demo-data/people';
import type { User } from '@clinic/contracts';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expect, expectAccessible, notification, onAnyDevice, picture, record, test } from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { logInAs } from '../support/log-in.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { book } from '../support/bookings.ts';
import { confirmAddress, read, registerPatient, signIn } from '../support/people.ts';

/** Unique people for each run, so that tests can run again on the same clinic. */
const run = Date.now().toString(36);

test(
  'an admin makes somebody a doctor, edits the profile and sets hours, which are booked',
  onAnyDevice,
  async ({ page, request }, { project }) => {
    const rana = await registerPatient(request, 'Rana', project.name);
    const patient = await registerPatient(request, 'Pia', project.name);
    const name = `Dr. Rana ${project.name} ${run}`;
    await logInAs(page, 'admin', '/dash/createProfile');

    await test.step('without a confirmed address there is no role', async () => {
      await page.getByLabel('Email').fill(rana.email);
      await page.getByLabel('Qualification').focus();
      await expect(page.getByText('Rana Live hasn’t confirmed their email address')).toBeVisible();
      await expect(page.getByRole('link', { name: 'invite them instead' })).toHaveAttribute(
        'href',
        `/dash/staff/add?role=doctor&email=${encodeURIComponent(rana.email)}`,
      );
      await expectAccessible(page);
      await picture(page, 'admin create profile unconfirmed');
      await confirmAddress(request, rana);
      await page.reload();
    });

    await test.step('create the profile and change the role in one step', async () => {
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Email').fill('nobody.yet@mail.example');
      await page.getByLabel('Qualification').fill('MBBS, MD');
      await expect(page.getByText('No account has this email address yet')).toBeVisible();
      await page.getByLabel('Email').fill(rana.email);
      await page.getByLabel('Specialization').fill('Dermatology');
      await expect(page.getByText('Rana Live has an account as Patient')).toBeVisible();
      await expect(page.getByRole('checkbox', { name: /^Change the role to Doctor too/ })).toBeChecked();
      await page.getByLabel('Experience (years)').fill('7');
      await expectAccessible(page);
      await picture(page, 'admin create profile');
      await page.getByRole('button', { name: 'Create profile' }).click();
      await expect(notification(page, 'doctor profile created successfully!')).toBeVisible();
      await expect(notification(page, 'Rana Live is now Doctor')).toBeVisible();
      await expect(page.getByLabel('Name')).toHaveValue('');
    });

    await test.step('edit the profile and set hours', async () => {
      await page.goto(`/dash/doctors?q=${encodeURIComponent(name)}`);
      await record(page, 'Doctors', name)
        .getByRole('button', { name: `Profile of ${name}` })
        .click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByLabel('Location').fill('Skin Clinic, Level 2');
      await dialog.getByRole('button', { name: 'Save profile' }).click();
      await expect(notification(page, `The profile of ${name} is saved`)).toBeVisible();
      await expectAccessible(page);
      await picture(page, 'admin doctor profile');
      await dialog.getByRole('link', { name: 'Hours and time off' }).click();
      const hours = page.getByRole('form', { name: `Hours of ${name}` });
      await hours.getByRole('button', { name: 'Set weekly hours' }).click();
      const week = hours.getByRole('list', { name: 'Weekly hours' });
      await week.getByLabel('Monday, from').fill('13:30');
      await week.getByLabel('Monday, until').fill('14:30');
      await week.getByRole('button', { name: 'Copy the hours of Monday' }).filter({ visible: true }).click();
      const copy = page.getByRole('dialog', { name: 'Copy the hours of Monday' });
      await copy.getByRole('checkbox', { name: 'All days' }).check();
      await copy.getByRole('button', { name: 'Copy', exact: true }).click();
      await expect(week.getByLabel('Sunday, from')).toHaveValue('13:30');
      await hours.getByRole('button', { name: 'Save the hours' }).click();
      await expect(notification(page, `The hours of ${name} are saved`)).toBeVisible();
      await expectAccessible(page);
      await picture(page, 'admin hours');
    });

    // How they are found and booked on the page: staff.e2e.ts, hours.e2e.ts.
    await test.step('they have the role, and a patient books one of the hours', async () => {
      await signIn(request, rana);
      expect((await read<User>(await request.get(`/users/${rana.email}`))).role).toBe('doctor');
      const [{ location } = {}] = await read<Doctor[]>(await request.get(`/doctors?email=${rana.email}`));
      expect(location).toBe('Skin Clinic, Level 2');
      await signIn(request, patient);
      const wanted = { patientname: 'Pia Live', patientemail: patient.email, doctoremail: rana.email };
      await book(request, { ...wanted, date: dayFromNow(9), time: '13:30' });
    });
  },
);

test('an admin creates a pharmacist and puts them on leave', onAnyDevice, async ({ page }, { project }) => {
  const name = `Ph. Tia ${project.name} ${run}`;
  await logInAs(page, 'admin', '/dash/createProfile?role=pharmacist');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`tia.${project.name}.${run}@mail.example`);
  await page.getByLabel('Qualification').fill('BPharm');
  await page.getByLabel('Area of Expertise').fill('Oncology');
  await page.getByLabel('Experience (years)').fill('4');
  await page.getByRole('button', { name: 'Create profile' }).click();
  await expect(notification(page, 'pharmacist profile created successfully!')).toBeVisible();

  await page.goto('/dash/pharmacists');
  await page.getByRole('searchbox').fill(name);
  await expect(record(page, 'Pharmacists', name)).toContainText('active');
  await record(page, 'Pharmacists', name)
    .getByRole('button', { name: `Profile of ${name}` })
    .click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByLabel('Status').selectOption('on leave');
  await dialog.getByLabel('Phone').fill('+880 1555 010399');
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'admin pharmacist profile');
  await dialog.getByRole('button', { name: 'Save profile' }).click();
  await expect(notification(page, `The profile of ${name} is saved`)).toBeVisible();
  await expect(record(page, 'Pharmacists', name)).toContainText('on leave');
  await expectAccessible(page);
});

/** Expects a control to be fully in view and uncovered. */
async function expectUncovered(control: Locator): Promise<void> {
  await expect(control).toBeInViewport({ ratio: 1 });
  await expect.poll(() => coverOf(control)).toEqual([]);
}

/** What covers a control's corners or centre. */
function coverOf(control: Locator): Promise<string[]> {
  return control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [
      [left + 4, top + 4],
      [right - 4, top + 4],
      [left + 4, bottom - 4],
      [right - 4, bottom - 4],
      [(left + right) / 2, (top + bottom) / 2],
    ] as const;
    return corners
      .map(([x, y]) => document.elementFromPoint(x, y))
      .filter((found) => !element.contains(found))
      .map((found) => found?.outerHTML.slice(0, 100) ?? 'outside of the window');
  });
}

test('an email that already has a profile is reported clearly, without covering anything that is needed', async ({
  page,
}) => {
  await logInAs(page, 'admin', '/dash/createProfile');
  await page.getByLabel('Name').fill('Dr. Second Profile');
  await page.getByLabel('Email').fill(demoAccounts.doctor);
  await page.getByLabel('Qualification').fill('MBBS');
  await page.getByLabel('Specialization').fill('Dermatology');
  await page.getByLabel('Experience (years)').fill('3');
  await expect(page.getByText(/has an account with the role Doctor/)).toBeVisible();
  const submit = page.getByRole('button', { name: 'Create profile' });
  await submit.click();
  await expect(notification(page, /^Error creating profile: /)).toBeVisible();
  // The notification's button also mentions an email.
  const email = page.getByRole('textbox', { name: 'Email' });
  await expect(email).toHaveAccessibleDescription(
    'There’s already a doctor with this email address. Edit that profile under Doctors, or use another address',
  );
  await expect(email).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveValue('Dr. Second Profile');
  await expectUncovered(email);
  await expectAccessible(page);
  await picture(page, 'admin profile exists');
  // The message stays, but the end of the page can be reached.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expectUncovered(submit);
});
