import type { Doctor, FreeTimes } from '@clinic/svc-clinic/contract/schemas';
import { expect, notification, onAnyDevice, test } from '../support/clinic.ts';
import { freeDayFrom } from '../support/days.ts';
import { registerPatient } from '../support/people.ts';

// The address that the published free times give for a slot (svc-clinic/src/scheduling-links).
test(
  'a slot that a link names is still chosen after the login on the way',
  onAnyDevice,
  async ({ page, request }, { project }) => {
    const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
    const doctor = doctors.find(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 0);
    if (!doctor) throw new Error('the demo clinic has no doctor with times');
    const date = await freeDayFrom(request, doctor._id, 40);
    const { times } = (await (await request.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as FreeTimes;
    const time = times.at(-1) ?? '';
    const patient = await registerPatient(request, 'Linda', project.name);
    const link = `/appoinment/${doctor._id}?date=${date}&time=${time}`;

    await page.goto(link);
    await expect(page).toHaveURL('/login');
    await page.getByLabel('Email').fill(patient.email);
    await page.getByLabel('Password', { exact: true }).fill(patient.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(notification(page, 'Logged in successfully')).toBeVisible();
    await expect(page).toHaveURL(link);
    const shown = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
    await expect(page.getByRole('radio', { name: shown.format(new Date(`2000-01-01T${time}:00Z`)) })).toBeChecked();
  },
);
