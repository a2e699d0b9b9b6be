import { ReleaseError } from '@clinic/static-server/releases';
import { chromium, type Browser, type Page } from '@playwright/test';
import { ensureHeadlessChromium } from '../../../scripts/test/chromium.ts';

/** Browsers that are sent at once, and how many of them are open at a time. */
const count = 12;
const together = 3;

/** Longer than the shell waits for a remote that hangs, in milliseconds. */
const patienceMs = 30_000;

/** Opens a browser for people who visit the clinic out of sight. @throws ReleaseError if there is no Chromium here */
export async function openVisitors(): Promise<Browser> {
  const executablePath = await ensureHeadlessChromium().catch((error: unknown) => {
    throw new ReleaseError(error instanceof Error ? error.message : String(error));
  });
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/**
 * Opens a page in browsers that have never been here, and waits until each has reported its visit or an error.
 *
 * @param remote - whose page it is
 * @returns how many visitors came, and how many of them saw an error
 * @throws ReleaseError if there is no Chromium here, or a page doesn't report
 */
export async function sendVisitors(clinic: string, page: string, remote: string): Promise<string> {
  const browser = await openVisitors();
  try {
    let failed = 0;
    for (let sent = 0; sent < count; sent += together) {
      const visits = Array.from({ length: together }, () => visit(browser, clinic + page, remote));
      failed += (await Promise.all(visits)).filter((seen) => seen === 'error').length;
    }
    return `${count} visitors came; ${failed} saw an error.`;
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, address: string, remote: string): Promise<'page' | 'error'> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    // Without a version it counts for no release: a better report follows.
    const counted = `"remote":"${remote}","version":`;
    const reported = page.waitForResponse(
      (response) =>
        /\/page-(?:visits|errors)$/.test(response.url()) && response.request().postData()?.includes(counted) === true,
      { timeout: patienceMs },
    );
    const [report] = await Promise.all([reported, openAndTouch(page, address)]);
    return report.url().endsWith('/page-errors') ? 'error' : 'page';
  } catch (error) {
    throw new ReleaseError(`A visitor’s page reported nothing: ${String(error).split('\n', 1)[0]}`);
  } finally {
    await context.close();
  }
}

/** A public page starts once it is used. */
async function openAndTouch(page: Page, address: string): Promise<void> {
  await page.goto(address, { timeout: patienceMs });
  await page.keyboard.press('Tab');
}
