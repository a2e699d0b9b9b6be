import type { Appointment, Doctor, FreeTimes } from '@clinic/svc-clinic/contract/schemas';
import type { WaitlistOffer } from '@clinic/svc-clinic/contract/waitlist-calls';
import type { APIRequestContext } from '@playwright/test';
import { expect, expectAccessible, follow, notification, picture, test } from '../support/clinic.ts';
import { freeDayFrom } from '../support/days.ts';
import { book } from '../support/bookings.ts';
import { confirmAddress, ours, registerPatient, signIn } from '../support/people.ts';

/** Books every free time of a doctor's day for one patient. */
async function fillDay(
  request: APIRequestContext,
  doctor: Doctor,
  date: string,
  email: string,
): Promise<readonly Appointment[]> {
  const free = (await (await request.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as FreeTimes;
  const booked: Appointment[] = [];
  for (const time of free.times)
    booked.push(
      await book(request, { patientname: 'Full Day', patientemail: email, date, time, doctoremail: doctor.email }),
    );
  return booked;
}

test('a patient waits for a full day, is offered a cancelled time on the page they are on, and has the appointment', async ({
  page,
  request,
}, { project }) => {
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 2);
  if (!doctor) throw new Error('the demo clinic has no doctor with times');
  // A repeat finds the day full that the first try has filled.
  const date = await freeDayFrom(request, doctor._id, 65);
  const holder = await registerPatient(request, 'Holder', project.name);
  await signIn(request, holder);
  const [first] = await fillDay(request, doctor, date, holder.email);
  if (!first) throw new Error(`${doctor.name} has no times on ${date}`);
  const waiting = await registerPatient(request, 'Waiting', project.name);
  await confirmAddress(page.request, waiting);

  await test.step('join from the booking page', async () => {
    await page.goto(`/appoinment/${doctor._id}`);
    await page.getByRole('button', { name: 'Tell me if an earlier time becomes free' }).click();
    const dialog = page.getByRole('dialog', { name: 'Join the waitlist' });
    await dialog.getByLabel('First day').fill(date);
    await dialog.getByLabel('Last day').fill(date);
    await dialog.getByLabel('Patient name').fill('Wilma Waiting');
    await dialog.getByLabel('Age').fill('34');
    await dialog.getByLabel('Phone number').fill('+880 1555 777015');
    await dialog.getByLabel('Address').fill('7 Lake Road');
    await expectAccessible(page);
    await picture(page, 'waitlist dialog');
    await dialog.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect(notification(page, 'We’ll tell you here as soon as a time becomes free')).toBeVisible();
  });

  const banner = page.getByRole('region', { name: 'A time is free for you' });
  await test.step('another patient cancels: the offer is on screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const live = page.waitForResponse('**/live**');
    await page.goto('/');
    await live;
    await expect(banner).toBeHidden();
    await signIn(request, holder);
    const cancelled = await request.patch(`/update-appoinment/${first._id}`, {
      headers: ours,
      data: { newStatus: 'Cancelled' },
    });
    expect(cancelled.status()).toBe(200);
    // Made in the transaction that cancels; the page is told.
    const offers = await page.request.get(`/waitlist/offers?email=${waiting.email}&open=true`);
    expect(((await offers.json()) as WaitlistOffer[]).map(({ time }) => time)).toEqual([first.time]);
    await expect(banner).toBeVisible();
    await expect(banner).toContainText(doctor.name);
    await expect(banner).toContainText('Free for you until');
    await expectAccessible(page);
    await picture(page, 'waitlist offer');
    // It covers neither the buttons that stay at the lower edge of a phone, nor the end of a page.
    await page.goto(`/appoinment/${doctor._id}`);
    await expect(banner).toBeVisible();
    await page.getByRole('button', { name: 'Book Appointment' }).click({ trial: true });
    await page.getByRole('contentinfo').getByRole('button', { name: 'Theme' }).click({ trial: true });
  });

  await test.step('accept it', async () => {
    await banner.getByRole('button', { name: 'Accept' }).click();
    await expect(notification(page, /^Your appointment is booked/)).toBeVisible();
    await expect(banner).toBeHidden();
    await page.goto('/dash/patient');
    await expect(page.getByRole('main')).toContainText('Wilma Waiting');
    await follow(page, 'Dashboard', 'Waitlist');
    await expect(page.getByRole('heading', { name: 'Waitlist', level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Earlier' })).toContainText('Booked');
    await expect(page.getByRole('region', { name: 'Times you were offered' })).toContainText('Accepted');
    await expectAccessible(page);
    await picture(page, 'waitlist page');
  });
});
