import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { expect, expectAccessible, notification, openMenu, test } from '../support/clinic.ts';
import { freeDayFrom } from '../support/days.ts';
import { Effort } from '../support/effort.ts';

// What common tasks cost a patient, in clicks and fields. A change that makes one of them longer also changes the
// figures here. Each task continues with the patient and the appointment of the one before.

test('a new patient books, moves and cancels, and orders medicines, in few steps', async ({ page, request }, {
  project,
}) => {
  const email = `tess.${project.name}.${Date.now().toString(36)}@mail.example`;
  let doctorId = '';
  const booked = page.getByRole('region', { name: 'Your new appointment' });

  await test.step('book the soonest cardiologist tomorrow morning', async () => {
    await page.goto('/');
    await openMenu(page);
    const effort = new Effort();
    await effort.click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Doctors' }));
    await effort.choose(page.getByLabel('Specialty'), 'Cardiologist');
    await effort.choose(page.getByLabel('Day', { exact: true }), 'Tomorrow');
    await effort.choose(page.getByLabel('Time of day'), 'Morning');
    const first = page.getByRole('article').first();
    await expect(first.getByText(/^Next free: tomorrow, \d+:\d\d AM$/)).toBeVisible();
    await expect(page.getByText(/^Next free: (?!tomorrow, )/)).toHaveCount(0);
    const slot = first.getByRole('link', { name: /AM tomorrow, book with / }).first();
    const time = await slot.innerText();
    [, doctorId = ''] = /appoinment\/(\w+)/.exec((await slot.getAttribute('href')) ?? '') ?? [];
    const doctor = await first.getByRole('heading').innerText();
    await effort.click(slot);
    await effort.click(page.getByRole('link', { name: 'Create an account' }));
    await effort.fill(page.getByLabel('First Name'), 'Tess');
    await effort.fill(page.getByLabel('Last Name'), 'Quick');
    await effort.fill(page.getByLabel('Email'), email);
    await effort.fill(page.getByLabel('Phone'), '+880 1555 777111');
    await effort.fill(page.getByLabel('Date of Birth'), '1990-04-01');
    await effort.fill(page.getByLabel('Password', { exact: true }), 'Secret-77');
    await effort.click(page.getByRole('button', { name: 'Create My Account' }));
    await expect(notification(page, 'User created and saved to DB')).toBeVisible();
    await expect(page).toHaveURL('/');
    await effort.click(page.getByRole('link', { name: 'Continue booking' }));
    await expect(page.getByLabel('Patient name')).toHaveValue('Tess Quick');
    await expect(page.getByLabel('Phone number')).toHaveValue('+880 1555 777111');
    await expect(page.getByLabel('Age')).toHaveValue(/^3\d$/);
    await expect(page.getByRole('radio', { name: time, exact: true })).toBeChecked();
    await effort.fill(page.getByLabel('Address'), '12 Lake Road, Dhanmondi');
    await effort.click(page.getByRole('button', { name: 'Book Appointment' }));
    await expect(notification(page, 'appoinment created')).toBeVisible();
    await expect(page).toHaveURL('/dash/doctorAppoinments');
    await expect(booked).toContainText(`at ${time}`);
    await expect(booked).toContainText(doctor);
    await expect(booked.getByRole('button', { name: /^Add to calendar/ })).toBeVisible();
    await expectAccessible(page);
    effort.expectToBe('book the soonest cardiologist tomorrow morning as a new patient', { clicks: 6, fields: 10 });
  });

  await test.step('move it', async () => {
    const effort = new Effort();
    await effort.click(booked.getByRole('button', { name: /^Reschedule/ }));
    const dialog = page.getByRole('dialog', { name: 'Reschedule' });
    // Not to the earliest time, which may be too close to cancel, nor to the clinic's tomorrow, which others book.
    await effort.fill(dialog.getByLabel('Date', { exact: true }), await freeDayFrom(request, doctorId, 3));
    await effort.click(dialog.getByRole('radio', { name: /[AP]M$/ }).first());
    await effort.click(dialog.getByRole('button', { name: 'Reschedule' }));
    await expect(notification(page, /^Dr\. .+ moved to .+ at \d+:\d\d [AP]M$/)).toBeVisible();
    effort.expectToBe('move it to another day', { clicks: 3, fields: 1 });
  });

  await test.step('cancel it', async () => {
    const effort = new Effort();
    await effort.click(booked.getByRole('button', { name: /^Cancel/ }));
    const dialog = page.getByRole('alertdialog', { name: /^Cancel your appointment with Dr\. / });
    await expectAccessible(page);
    await effort.click(dialog.getByRole('button', { name: 'Cancel appointment' }));
    await expect(notification(page, /^Dr\. .+: Cancelled$/)).toBeVisible();
    await expect(booked).toHaveCount(0);
    effort.expectToBe('cancel it', { clicks: 2, fields: 0 });
    await page.goto('/dash/patient?show=cancelled');
    await expect(page.getByRole('button', { name: /^Book again: Dr\. / })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('order three medicines and thirty tablets, on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const medicines = ((await (await request.get('/medicine?limit=24&sort=name')).json()) as Medicine[]).filter(
      ({ status, medicine }) => status === 'in stock' && !medicine.prescriptionOnly,
    );
    const tablet = medicines.find(
      ({ medicine }) => medicine.unit === 'tablet' && Number(medicine.quantity.$numberInt) >= 60,
    );
    const others = medicines.filter(({ medicine }) => medicine.unit !== 'tablet').slice(0, 2);
    const chosen = [...others, ...(tablet ? [tablet] : [])].map(({ medicine }) => medicine.name);
    expect(chosen).toHaveLength(3);
    await page.goto('/medicinestore');
    const effort = new Effort();
    for (const name of chosen) {
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
      await effort.click(card.getByRole('button', { name: 'Add to Cart' }));
    }
    await effort.click(page.getByRole('button', { name: /^Cart \(3\)/ }));
    await effort.fill(page.getByRole('textbox', { name: `Quantity of ${tablet?.medicine.name}` }), '30');
    await expect(page.getByLabel('Phone')).toHaveValue('+880 1555 777111');
    await expect(page.getByLabel('Address')).toHaveValue('12 Lake Road, Dhanmondi');
    await effort.click(page.getByRole('button', { name: 'Place Order' }));
    await expect(page.getByText('order created').filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByText(/^Your order is #[0-9A-F]{6}\./)).toBeVisible();
    await expectAccessible(page);
    effort.expectToBe('order three medicines and thirty tablets on a phone', { clicks: 5, fields: 1 });
  });
});
