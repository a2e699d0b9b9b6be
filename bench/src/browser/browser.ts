import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { ensureChromium } from '../../../scripts/test/chromium.ts';
import type { AreaContext } from '../support/area.ts';
import { sharedClinic } from '../support/clinic.ts';

/** The flags of the browser tests. */
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** How much slower than this machine a simple device is. */
export const slowdown = 4;

/** A browser before a running clinic. */
export async function openBrowser({ after, say }: AreaContext): Promise<{ readonly url: string; readonly newContext: () => Promise<BrowserContext> }> {
  const { url } = await sharedClinic(say);
  const browser: Browser = await chromium.launch({ executablePath: await ensureChromium(), args });
  after(() => browser.close());
  return { url, newContext: () => browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } }) };
}

/** Makes everything on the page as slow as on a simple device. */
export async function slowDown(page: Page, rate = slowdown): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Waits until what was asked for is painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
