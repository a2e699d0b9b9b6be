import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expect, type Browser, type Page } from '@playwright/test';
import { logInAs } from '../support/log-in.ts';
import { copyRepository } from '../support/copy-repository.ts';
import { openOwnClinic, type OpenClinic } from '../support/start-clinic.ts';
import { test } from '../support/first-use.ts';

// Starts a separate clinic from a copy of the sources, which the test changes.

let copy: string;
let clinic: OpenClinic;

test.beforeAll(async () => {
  copy = await copyRepository();
  clinic = await openOwnClinic(
    {},
    { folder: copy, args: ['--watch', 'mf-clinic'], ready: 'Working on mf-clinic and svc-clinic' },
  );
});

test.afterAll(async () => {
  await clinic.close();
  await rm(copy, { recursive: true, force: true });
});

test('a saved change shows in the open page, which keeps what was typed', async ({ browser }) => {
  const { page, loads } = await openBooking(browser);

  const took = {
    // In a component that the page's other modules render.
    component: await save('booking/patient-fields.tsx', 'label="Age"', 'label="Age today"', () =>
      page.getByLabel('Age today').waitFor({ timeout: 30_000 }),
    ),
    // In the module that is exposed, which exports no component.
    page: await save('booking/booking-page.tsx', 'title="Book Appointment"', 'title="Book a Visit"', () =>
      page.getByRole('heading', { name: 'Book a Visit' }).waitFor({ timeout: 30_000 }),
    ),
  };
  expect(await page.getByLabel('Address').inputValue()).toBe('7 Elm Street');
  expect(loads).toEqual([]);
  test.info().annotations.push({ type: 'milliseconds', description: JSON.stringify(took) });
  console.log(`Shown after ${JSON.stringify(took)} ms`);

  // A reload shows the changed page, too.
  await page.reload();
  await expect(page.getByLabel('Age today')).toBeVisible();
  await page.context().close();
});

test('an error of the remote shows in the page, with its place, until it is mended', async ({ browser }) => {
  const { page, loads } = await openBooking(browser);
  const shown = page.frameLocator('iframe').locator('body');
  const file = 'booking/patient-fields.tsx';
  const button = '<button type="button" onClick={() => { throw new Error("When pressed"); }}>Press</button>';

  await save(file, '{children}', '{children} <<', () =>
    expect(shown).toContainText('./src/booking/patient-fields.tsx', { timeout: 30_000 }),
  );
  await expect(shown).toContainText(/patient-fields\.tsx:\d+:\d+\][\s\S]+{children} <<\n/);
  await save(file, '{children} <<', `{children} ${button}`, () => page.getByText('Press').waitFor({ timeout: 30_000 }));
  await expect(page.locator('iframe')).toHaveCount(0);

  // One that is uncaught, and one in whose place the error screen stands.
  await page.getByText('Press').click();
  await expect(shown).toContainText('Error: When pressed');
  await page.keyboard.press('Escape');
  await save(file, button, '{(() => { throw new Error("When drawn"); })()}', () =>
    expect(shown).toContainText('Error: When drawn', { timeout: 30_000 }),
  );
  await save(file, '{(() => { throw new Error("When drawn"); })()}', '', () =>
    expect(page.locator('iframe')).toHaveCount(0, { timeout: 30_000 }),
  );
  await expect(page.getByRole('heading', { name: /^Book a/ })).toBeVisible();
  expect(loads).toEqual([]);
  await page.context().close();
});

/** A patient's form to book, with an address typed into it, and the page loads from then on. */
async function openBooking(browser: Browser): Promise<{ readonly page: Page; readonly loads: readonly string[] }> {
  const page = await (await browser.newContext({ baseURL: clinic.url })).newPage();
  const loads: string[] = [];
  await logInAs(page, 'patient', '/dash/patient');
  const [doctor] = (await (await page.request.get('/doctors')).json()) as readonly Doctor[];
  await page.goto(`/appoinment/${doctor?._id}`);
  await expect(page.getByRole('complementary', { name: 'Local builds' })).toContainText('mf-clinic');
  // The page fills in what it knows of the patient.
  await expect(page.getByLabel('Address')).not.toHaveValue('', { timeout: 60_000 });
  await page.getByLabel('Address').fill('7 Elm Street');
  page.on('load', () => loads.push(page.url()));
  return { page, loads };
}

/** Changes a file of mf-clinic. @returns milliseconds until the page shows it */
async function save(file: string, from: string, to: string, shown: () => Promise<void>): Promise<number> {
  const path = join(copy, 'mf-clinic/src', file);
  const before = await readFile(path, 'utf8');
  expect(before).toContain(from);
  const begun = performance.now();
  await writeFile(path, before.replace(from, to));
  await shown();
  return Math.round(performance.now() - begun);
}
