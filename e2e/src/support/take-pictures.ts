// Takes the README's picture from a running clinic: node src/support/take-pictures.ts http://localhost:8080
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';

const address = process.argv[2] ?? 'http://localhost:8080';
const target = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures', 'overview.png');

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const home = await shoot(browser, { path: '/', width: 1280, height: 800 });
  const inventory = await shoot(browser, { path: '/dash/medicine', width: 1280, height: 800, account: 'PHARMACIST' });
  const store = await shoot(browser, { path: '/medicinestore', width: 390, height: 800, dark: true });
  const sheet = await browser.newPage({ viewport: { width: 1600, height: 760 } });
  await sheet.setContent(`<style>
    body { margin: 0; height: 760px; background: linear-gradient(120deg, #f7efe4, #d9ebe6); position: relative; overflow: hidden }
    img { position: absolute; border-radius: 14px; box-shadow: 0 24px 60px #14303044, 0 2px 6px #14303022 }
  </style>
  <img src="${home}" style="left: 50px; top: 50px; width: 900px">
  <img src="${inventory}" style="left: 720px; top: 290px; width: 660px">
  <img src="${store}" style="left: 1290px; top: 60px; width: 260px">`);
  mkdirSync(join(target, '..'), { recursive: true });
  await sheet.screenshot({ path: target });
} finally {
  await browser.close();
}

interface Shot {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly account?: string;
  readonly dark?: boolean;
}

/** A screenshot as a data URL. */
async function shoot(from: Browser, { path, width, height, account, dark }: Shot): Promise<string> {
  const context = await from.newContext({
    baseURL: address,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor: 1.5,
  });
  const page = await context.newPage();
  if (account) {
    await page.goto('/login');
    await page.getByRole('button', { name: account, exact: true }).click();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('**/dash/**');
    await page.getByRole('button', { name: /^Dismiss/ }).click();
  }
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const picture = await page.screenshot();
  await context.close();
  return `data:image/png;base64,${picture.toString('base64')}`;
}
