// `npm run tour`: takes the README's pictures, of a clinic of its own with the demo's data.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { openOwnClinic } from './start-clinic.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures');
const desktop = { width: 1200, height: 750 };
const phone = { width: 390, height: 750 };

interface Shot {
  readonly path: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** Signs in with the login page's button of that name. */
  readonly account?: 'PATIENT' | 'DOCTOR' | 'PHARMACIST';
  readonly dark?: boolean;
  /** Steps before the screenshot. */
  readonly act?: (page: Page) => Promise<void>;
}

/** The stops of the tour by file name, in the README's order. */
const stops: Readonly<Record<string, Shot>> = {
  'tour-directory': { path: '/ourDoctors' },
  'tour-booking': {
    path: '/ourDoctors',
    account: 'PATIENT',
    act: (page) => page.getByRole('link', { name: /Book/ }).first().click(),
  },
  'tour-doctor': { path: '/dash/doctorAppoinments', account: 'DOCTOR' },
  'tour-store-dark': { path: '/medicinestore', size: phone, dark: true },
};

/** A screenshot, small enough for a README. */
async function shoot(from: Browser, baseURL: string, shot: Shot): Promise<Buffer> {
  const { path, size = desktop, account, dark, act } = shot;
  const context = await from.newContext({
    baseURL,
    viewport: size,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
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
  await act?.(page);
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.body.innerText.includes('Loading...'));
  const picture = await page.screenshot({ type: 'jpeg', quality: 72 });
  await context.close();
  return picture;
}

/** The picture at the top: three screens side by side. */
async function overview(from: Browser, baseURL: string): Promise<void> {
  const image = async (shot: Shot): Promise<string> =>
    `data:image/jpeg;base64,${(await shoot(from, baseURL, shot)).toString('base64')}`;
  const home = await image({ path: '/' });
  const inventory = await image({ path: '/dash/medicine', account: 'PHARMACIST' });
  const store = await image({ path: '/medicinestore', size: phone, dark: true });
  const sheet = await from.newPage({ viewport: { width: 1600, height: 760 } });
  await sheet.setContent(`<style>
    body { margin: 0; height: 760px; background: linear-gradient(120deg, #f7efe4, #d9ebe6); position: relative; overflow: hidden }
    img { position: absolute; border-radius: 14px; box-shadow: 0 24px 60px #14303044, 0 2px 6px #14303022 }
  </style>
  <img src="${home}" style="left: 50px; top: 50px; width: 900px">
  <img src="${inventory}" style="left: 720px; top: 290px; width: 660px">
  <img src="${store}" style="left: 1290px; top: 60px; width: 260px">`);
  await sheet.screenshot({ path: join(folder, 'overview.jpg'), type: 'jpeg', quality: 78 });
}

mkdirSync(folder, { recursive: true });
const clinic = await openOwnClinic();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
});
try {
  await overview(browser, clinic.url);
  for (const [name, shot] of Object.entries(stops)) {
    const picture = await shoot(browser, clinic.url, shot);
    writeFileSync(join(folder, `${name}.jpg`), picture);
    console.log(`docs/pictures/${name}.jpg: ${Math.round(picture.length / 1024)} KB`);
  }
} finally {
  await browser.close();
  await clinic.close();
}
