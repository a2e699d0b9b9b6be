import { demoPassword } from '@clinic/demo-data/people';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, follow, notification, picture, test } from '../support/clinic.ts';
import { dayFromNow, written } from '../support/days.ts';
import { logIn, logInAs } from '../support/log-in.ts';
import { book } from '../support/bookings.ts';
import { confirmAddress, registerPatient, signIn } from '../support/people.ts';

test('a doctor moves an appointment by mouse and keyboard, blocks an hour and prints; an admin books eight weeks with one conflict and changes the rest', async ({
  page,
  browser,
  request,
}, { project }) => {
  // On days that no other test books.
  const email = 'david.cohen@clinic.example';
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find((one) => one.email === email);
  if (!doctor) throw new Error(`the demo clinic lacks ${email}`);
  const free = async (date: string): Promise<string[]> =>
    ((await (await request.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as { times: string[] }).times;
  // Times that are free on a day and in the seven weeks after it, whatever an earlier attempt has left behind.
  const freeWeekly = async (from: number): Promise<string[]> => {
    const weeks = await Promise.all(Array.from({ length: 8 }, (_, week) => free(dayFromNow(from + 7 * week))));
    return (weeks[0] ?? []).filter((time) => weeks.every((times) => times.includes(time)));
  };
  let ahead = 14;
  let times = await freeWeekly(ahead);
  while (times.length < 4) times = await freeWeekly((ahead += 1));
  const day = dayFromNow(ahead);
  const [first = '', second = '', third = '', fourth = ''] = times;
  const at = (time: string): string =>
    new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
      new Date(`2000-01-01T${time}:00Z`),
    );
  const surname = `Weekly${Date.now().toString(36)}`;
  const name = `Vera ${surname}`;
  const patient = await registerPatient(request, 'Vera', project.name, surname);
  await confirmAddress(request, patient);
  await signIn(request, patient);
  await book(request, {
    patientname: name,
    patientemail: patient.email,
    date: day,
    time: first,
    doctoremail: email,
  });

  await logIn(page, email, demoPassword, '/dash/doctorAppoinments');
  await follow(page, 'Dashboard', 'Calendar');
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible();
  await page.goto(`/dash/calendar?date=${day}`);
  const visit = page.getByRole('button', { name: new RegExp(`^${name}`) });
  await expect(visit).toHaveAccessibleName(new RegExp(`Pending, ${written(day)}`));

  await test.step('drag it to the next free time', async () => {
    await visit.scrollIntoViewIfNeeded();
    const from = await visit.boundingBox();
    const to = await page
      .getByRole('button', { name: new RegExp(`^Free, ${at(second).slice(0, -3)}.*${written(day)}`) })
      .boundingBox();
    if (!from || !to) throw new Error('nothing to drag');
    await page.mouse.move(from.x + 20, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 5, { steps: 5 });
    await page.mouse.up();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('The patient gets a message:');
    await question.getByRole('button', { name: 'Move' }).click();
    await expect(notification(page, `${name} moved to ${written(day)} at ${at(second)}`)).toBeVisible();
  });

  await test.step('move it with the keyboard', async () => {
    await visit.focus();
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await expectToFitPhone(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).press('Enter');
    const target = page.getByRole('button', { name: `Move ${name} to ${at(third)}, ${written(day)}` });
    for (let step = 0; step < 4 && !(await target.evaluate((one) => one === document.activeElement)); step += 1)
      await page.keyboard.press('ArrowDown');
    await expect(target).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Move' }).press('Enter');
    await expect(notification(page, `${name} moved to ${written(day)} at ${at(third)}`)).toBeVisible();
    await expect(visit).toBeFocused();
  });

  await test.step('block a free time, and patients are no longer offered it', async () => {
    await page.getByRole('button', { name: new RegExp(`^Free, ${at(fourth).slice(0, -3)}.*${written(day)}`) }).click();
    await page.getByRole('button', { name: 'Block this time' }).click();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await expect(notification(page, 'Time blocked')).toBeVisible();
    const blocked = new RegExp(`^Blocked, ${at(fourth).slice(0, -3)}.*${written(day)}`);
    await expect(page.getByRole('button', { name: blocked })).toBeVisible();
    expect(await free(day)).not.toContain(fourth);
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'calendar');
  });

  await test.step('it prints on one page', async () => {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });

  await test.step('an admin books eight weeks, one of them at another time', async () => {
    const office = await browser.newContext();
    const admin = await office.newPage();
    await logInAs(admin, 'admin', `/dash/calendar?doctor=${doctor._id}&date=${day}&view=day`);
    await admin.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await admin.getByRole('button', { name: new RegExp(`^Book follow-ups: ${name}`) }).click();
    const dialog = admin.getByRole('dialog', { name: `Follow-ups for ${name}` });
    await dialog.getByLabel('How many').fill('8');
    const dates = dialog.getByRole('list', { name: 'Dates' });
    await expect(dates.getByRole('listitem')).toHaveCount(8);
    const conflicts = dates.getByRole('listitem').filter({ hasText: 'Conflict' });
    await dialog.getByLabel('Time').fill(fourth);
    // The blocked time is a conflict on its own day only.
    await dialog.getByLabel('First date').fill(day);
    await expect(conflicts).toHaveCount(1);
    await expectAccessible(admin);
    await expectToFitPhone(admin);
    await picture(admin, 'series');
    await conflicts.getByRole('button', { name: /^Take/ }).click();
    await dialog.getByRole('button', { name: 'Book 8 appointments' }).click();
    await expect(notification(admin, '8 appointments booked')).toBeVisible();

    await test.step('and moves this and the following ones', async () => {
      const next = new Date(`${day}T00:00:00Z`);
      next.setUTCDate(next.getUTCDate() + 7);
      const week = next.toISOString().slice(0, 10);
      await admin.goto(`/dash/calendar?doctor=${doctor._id}&date=${week}&view=day`);
      await admin.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await expect(admin.getByText('2 of 8')).toBeVisible();
      await admin.getByRole('button', { name: new RegExp(`^This and the following ones: ${name}`) }).click();
      const rest = admin.getByRole('dialog', { name: 'This and the following appointments' });
      await rest.getByLabel('New time').fill(second);
      const move = rest.getByRole('button', { name: 'Move 7 appointments' });
      await expect(move).toBeEnabled();
      await expectAccessible(admin);
      await expectToFitPhone(admin);
      await picture(admin, 'following');
      await move.click();
      await expect(notification(admin, '7 appointments moved')).toBeVisible();
      await expect(admin.getByRole('button', { name: new RegExp(`^${name}`) })).toHaveAccessibleName(
        new RegExp(`^${name}, ${at(second).slice(0, -3)}.*${written(week)}`),
      );
    });
    await office.close();
  });

  await test.step('the patient sees the series', async () => {
    const answer = await request.get(`/appoinments?email=${patient.email}&sort=date&open=true`);
    const own = (await answer.json()) as { readonly time: string; readonly series?: { readonly number: number } }[];
    expect(own.filter(({ series }) => series).map(({ series }) => series?.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(own.filter(({ time, series }) => series && series.number > 1 && time === second)).toHaveLength(7);
  });
});
