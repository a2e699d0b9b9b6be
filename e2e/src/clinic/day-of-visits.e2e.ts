import type { Browser, Page } from '@playwright/test';
import { DayOffice } from '../support/clinic-today.ts';
import {
  errorsOf,
  expect,
  expectAccessible,
  expectMenuEntry,
  notification,
  onAnyDevice,
  openMenu,
  picture,
  test,
} from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { logIn } from '../support/log-in.ts';
import { Effort } from '../support/effort.ts';
import { confirmAddress, ours, registerPatient, type Patient } from '../support/people.ts';

/** Another device, whose errors in the console fail the test, too. @param meant - those that the test causes */
async function device(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  meant = /^$/,
): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const errors = errorsOf(context);
  return {
    page: await context.newPage(),
    async close() {
      await context.close();
      expect(
        errors.filter((error) => !meant.test(error)),
        'errors in the console',
      ).toEqual([]);
    },
  };
}

test(
  'the front desk’s day: rights in an open tab, reception by keyboard, a phone, the doctor, the waiting room and the search',
  onAnyDevice,
  async ({ page, browser, playwright, baseURL }, { project }) => {
    const api = await playwright.request.newContext({ baseURL, extraHTTPHeaders: ours });
    const office = await DayOffice.open(api);
    const own = await playwright.request.newContext({ baseURL });
    const doctor = await office.newDoctor(own, project.name);
    const person = async (firstName: string): Promise<Patient> => {
      const made = await registerPatient(own, firstName, project.name, doctor.lastName);
      await confirmAddress(own, made);
      return made;
    };
    const [receptionist, patient, other] = [await person('Rita'), await person('Pia'), await person('Sam')];
    const [byPhone, walkIn] = [`Pia ${doctor.lastName}`, `Walter ${doctor.lastName}`];
    await office.book(doctor, byPhone, patient.email, 1);
    const searched = `Sam ${doctor.lastName}`;
    await office.book(doctor, searched, other.email, 0, dayFromNow(3));
    const walter = await office.book(doctor, walkIn, null, 0);
    const secret = await office.newScreen();
    const devices = [
      await device(browser, { baseURL, viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }),
      await device(browser, { baseURL, viewport: { width: 820, height: 1180 } }),
      await device(
        browser,
        { baseURL, viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
        /ERR_INTERNET_DISCONNECTED|\[readWaitingRoom, Object\] ApiProblem: (?:We couldn’t connect|There’s no screen)/,
      ),
    ] as const;
    const [phone, tablet, screen] = devices.map((one) => one.page) as [Page, Page, Page];
    const row = (name: string) => page.locator('[data-visit]').filter({ hasText: name });
    const next = (text: string, name: string) => page.getByRole('button', { name: new RegExp(`^${text}: ${name}`) });

    await test.step('the right to work at the reception arrives in the open tab', async () => {
      await logIn(page, receptionist.email, receptionist.password, '/dash/patient');
      await expectMenuEntry(page, 'Reception', { shown: false });
      await office.setRight(receptionist, 'reception', true);
      await expectMenuEntry(page, 'Reception');
      await openMenu(page);
      await page.getByRole('link', { name: 'Reception', exact: true }).click();
      await page.getByRole('combobox', { name: 'Doctor' }).selectOption({ label: `Dr. Dora ${doctor.lastName}` });
      await expect(row(walkIn)).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('by keyboard alone, while another receptionist’s note appears by itself', async () => {
      const effort = new Effort();
      await next('Arrived', walkIn).focus();
      await office.note(walter, 'expected', 'arrived');
      // The row changes under the focus, which stays.
      await expect(next('Call in', walkIn)).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(next('Arrived', byPhone)).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await effort.press(page, 'Enter');
      await expect(next('With doctor', walkIn)).toBeFocused();
      await expect(row(walkIn)).toContainText('Called');
      effort.expectToBe('call in a patient who waits, at the reception', { clicks: 0, fields: 0, keys: 1 });
      await picture(page, 'day-of-visits-reception');
    });

    await test.step('the screen in the waiting room, without a session', async () => {
      await screen.clock.install();
      await screen.goto(secret);
      const called = screen.getByRole('listitem').filter({ hasText: doctor.room });
      await expect(called).toHaveText(new RegExp(`^\\d+${doctor.room}$`));
      await expect(screen.getByText(doctor.lastName)).toHaveCount(0);
      await expectAccessible(screen);
      await picture(screen, 'day-of-visits-screen');
    });

    await test.step('a patient says on the phone that they are here, and has a number and a place', async () => {
      await phone.clock.install();
      await logIn(phone, patient.email, patient.password, '/dash/patient');
      const effort = new Effort();
      await effort.click(phone.getByRole('button', { name: /^I’m here: Dr\. Dora/ }));
      const place = phone.getByRole('status').filter({ hasText: 'Your number' });
      await expect(place).toContainText(/Your number\d+1 patient is before you/);
      effort.expectToBe('say on the phone that one is here', { clicks: 1, fields: 0 });
      // Nobody is offered what they may not do.
      await expect(notification(phone, /arrived$/)).toBeVisible();
      await expect(phone.getByRole('button', { name: 'Undo' })).toHaveCount(0);
      await expectAccessible(phone);
      await picture(phone, 'day-of-visits-phone');
      await expect(row(byPhone)).toContainText('Waiting');
    });

    await test.step('the doctor’s day opens on who was called, and calls the next', async () => {
      await logIn(tablet, doctor.email, doctor.password, '/dash/doctorAppoinments');
      const now = tablet.getByRole('article', { name: 'Next patient' });
      await expect(now).toContainText(walkIn);
      await now.getByRole('button', { name: /^With doctor/ }).click();
      await now.getByRole('button', { name: /^Finish/ }).click();
      await expect(now).toContainText(byPhone);
      await expectAccessible(tablet);
      await picture(tablet, 'day-of-visits-doctor');
      const effort = new Effort();
      await effort.click(now.getByRole('button', { name: /^Call in/ }));
      await expect(now.getByRole('button', { name: /^With doctor/ })).toBeVisible();
      effort.expectToBe('call the next patient, as the doctor', { clicks: 1, fields: 0 });
      await expect(row(byPhone)).toContainText('Called');
      // When it next asks about the patient's place.
      await phone.clock.fastForward(15_000);
      await expect(phone.getByText(`Please go in: ${doctor.room}`)).toBeVisible();
    });

    await test.step('without a network the screen says since when it is old, and comes back by itself; a stopped address says so', async () => {
      await screen.clock.runFor(5_000);
      await expect(screen.getByText(doctor.room)).toBeVisible();
      await screen.context().setOffline(true);
      await screen.clock.runFor(45_000);
      const old = screen.getByText(/^Not up to date since \d+:\d\d [AP]M/);
      await expect(old).toBeVisible();
      await expect(screen.getByText(doctor.room)).toBeVisible();
      await picture(screen, 'day-of-visits-screen-stale');
      await screen.context().setOffline(false);
      await screen.clock.runFor(10_000);
      await expect(old).toHaveCount(0);
      await office.endScreen();
      await screen.clock.runFor(10_000);
      await expect(screen.getByText('address has ended')).toBeVisible();
      await picture(screen, 'day-of-visits-screen-ended');
    });

    await test.step('Ctrl K finds the patient and the appointment, and medicines with that right; each is a look', async () => {
      await office.setRight(receptionist, 'stock', true);
      await expectMenuEntry(page, 'All Medicine');
      const effort = new Effort();
      await effort.press(page, 'Control+k');
      const field = page.getByRole('searchbox', { name: 'Search the clinic' });
      await expect(field).toBeFocused();
      await effort.fill(field, searched);
      await expect(page.getByRole('region', { name: 'Patients' }).getByRole('link', { name: searched })).toBeVisible();
      await expect(
        page.getByRole('region', { name: 'Appointments' }).getByRole('link', { name: searched }),
      ).toBeVisible();
      effort.expectToBe('find a patient from any page', { clicks: 0, fields: 1, keys: 1 });
      await expect(page.getByRole('region', { name: 'Accounts' })).toHaveCount(0);
      await expect(page.getByRole('region', { name: 'Orders' })).toHaveCount(0);
      await expectAccessible(page);
      await expect.poll(() => office.looksAt(other.email)).toContain(`${receptionist.email} searched`);
      await field.fill('paracetamol');
      await expect(page.getByRole('region', { name: 'Medicines' }).getByRole('link').first()).toBeVisible();
      await picture(page, 'day-of-visits-search');
    });

    await test.step('rights that are taken back end in the open tab', async () => {
      await page.getByRole('link', { name: 'Reception', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Reception' })).toBeVisible();
      for (const right of ['stock', 'reception'] as const) await office.setRight(receptionist, right, false);
      await expect(page.getByRole('heading', { name: 'You can’t open ‘Reception’' })).toBeVisible();
      await expectMenuEntry(page, 'All Medicine', { shown: false });
      await picture(page, 'day-of-visits-right-ended');
    });

    for (const one of devices) await one.close();
    for (const one of [api, own]) await one.dispose();
  },
);
