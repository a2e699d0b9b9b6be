// Takes pictures of every screen and state, in two widths and both themes: npm run screenshots [part of a name or path]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { galleryPage } from '@clinic/contracts';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { chromium, type Browser, type Page } from '@playwright/test';
import { fillLists } from '../support/full-lists.ts';
import { signIn } from '../support/people.ts';
import { openOwnClinic } from '../support/start-clinic.ts';
import { contactSheet, type Taken } from './contact-sheet.ts';
import { screensWith, type Screen } from './screens.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'screenshots');
const wanted = process.argv[2]?.toLowerCase();
const widths = [1280, 360] as const;
const themes = ['light', 'dark'] as const;
const patience = 30_000;

const running = process.env['CLINIC_URL'];
console.log(running ? `Using ${running} …` : 'Starting the clinic …');
const clinic = running ? undefined : await openOwnClinic();
const url = running ?? clinic?.url ?? '';
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await takeAll(browser);
} finally {
  await browser.close();
  await clinic?.close();
}

async function takeAll(from: Browser): Promise<void> {
  const person = await fillLists(url);
  const doctors = (await (await fetch(`${url}/doctors`)).json()) as readonly Doctor[];
  const doctor = doctors.find(({ email }) => email === demoAccounts.doctor);
  if (!doctor) throw new Error('The demo has no doctor');
  const screens = screensWith(doctor).filter(
    ({ name, path }) => !wanted || `${name} ${path}`.toLowerCase().includes(wanted),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const taken: Taken[] = [];
  for (const as of new Set(screens.map((screen) => screen.as))) {
    const context = await from.newContext({ baseURL: url, reducedMotion: 'reduce' });
    if (as === 'patient') await signIn(context.request, person);
    else if (as !== 'nobody') await signIn(context.request, { email: demoAccounts[as], password: demoPassword });
    for (const screen of screens.filter((one) => one.as === as)) {
      const page = await context.newPage();
      taken.push(await take(page, screen, taken.length));
      await page.close();
    }
    await context.close();
  }
  writeFileSync(join(folder, 'index.html'), contactSheet(taken, new Date()));
  const failed = taken.filter(({ failure }) => failure);
  console.log(
    `${taken.length} screens, ${failed.length} of them not in the intended state: ${join(folder, 'index.html')}`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

/** Opens a screen at each width, brings it into its state and takes it in both themes. */
async function take(page: Page, screen: Screen, number: number): Promise<Taken> {
  page.setDefaultTimeout(patience);
  const { fails, hangs } = screen;
  if (fails)
    await page.route(
      (address) => address.href.includes(fails) && !isPage(address),
      (route) => route.abort(),
    );
  if (hangs)
    await page.route(
      (address) => address.href.includes(hangs) && !isPage(address),
      () => undefined,
    );
  const files: { file: string; label: string }[] = [];
  let failure: string | undefined;
  for (const width of widths) {
    try {
      await page.setViewportSize({ width, height: width < 768 ? 780 : 900 });
      await page.goto(screen.path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      // The gallery also shows loading states, which never end there.
      if (!hangs && !screen.path.startsWith(galleryPage))
        await page.getByText('Loading...').filter({ visible: true }).first().waitFor({ state: 'hidden' });
      await screen.act?.(page);
      if ((await page.locator('dialog[open]').count()) === 0) await page.evaluate(showAll);
      // Lazy dialogs and their data.
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wider > 0) throw new Error(`the page is ${wider} px wider than the window`);
    } catch (error) {
      failure = `${width} px: ${(error as Error).message.split('\n')[0]}`;
    }
    // A dialog is taken in its window, a page in full length.
    const fullPage = (await page.locator('dialog[open]').count()) === 0;
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Otherwise a busy browser may show parts in the other theme.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const file = `${String(number).padStart(3, '0')}-${screen.as}-${screen.name.toLowerCase().replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.jpeg`;
      try {
        await page.screenshot({ path: join(folder, file), fullPage, type: 'jpeg', quality: 75 });
        files.push({ file, label: `${width} px, ${colorScheme}` });
      } catch (error) {
        failure = `${width} px, ${colorScheme}: ${(error as Error).message.split('\n')[0]}`;
      }
    }
  }
  console.log(`${screen.as}: ${screen.name}${failure ? ` – ${failure}` : ''}`);
  return { screen, files, failure };
}

/** Runs in the page: scrolls down, so that lazy content loads, and back to the top, where the sticky bars belong. */
async function showAll(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  // A long list needs no more than its first screens.
  for (let top = 0; top < Math.min(document.body.scrollHeight, 12_000); top += innerHeight) {
    scrollTo({ top, behavior: 'instant' });
    await frame();
    await frame();
  }
  scrollTo({ top: 0, behavior: 'instant' });
  await frame();
}

/** Some pages have the address of a list. */
function isPage(address: URL): boolean {
  return address.pathname.startsWith('/dash') || address.pathname === '/ourDoctors';
}
