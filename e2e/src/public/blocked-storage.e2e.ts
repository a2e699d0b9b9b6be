import { expect, type Page } from '@playwright/test';
import { onAnyDevice, test } from '../support/clinic.ts';

/** Public pages with their headings. */
const pages: readonly (readonly [path: string, heading: string])[] = [
  ['/', 'Your Health, Our Priority'],
  ['/ourDoctors', 'Our Doctors'],
  ['/medicinestore', 'Pharmacy'],
  ['/about', 'About Us'],
  ['/services', 'Our Medical Services'],
  ['/login', 'Welcome Back Log In'],
  ['/register', 'Create Your Account'],
];

const needsCookies = (page: Page) => page.getByText('Allow cookies for this site');

async function expectComplete(page: Page): Promise<void> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  for (const [path, heading] of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
    await expect(page.getByRole('contentinfo'), path).toBeVisible();
    expect(errors, path).toEqual([]);
  }
}

function denyStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied', 'SecurityError');
      },
    });
}

/** Ways in which storage can fail. */
const failures: Readonly<Record<string, () => void>> = {
  'throws when it is touched': denyStorage,
  'is missing': () => {
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: null });
  },
  'is full': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
    };
  },
};

for (const [how, breakStorage] of Object.entries(failures)) {
  test(`public pages are complete if storage ${how}`, onAnyDevice, async ({ page }) => {
    await page.addInitScript(breakStorage);
    await expectComplete(page);
    await expect(needsCookies(page)).toBeHidden();
  });
}

test(
  'in a browser that blocks cookies and storage, login and registration say what they need',
  onAnyDevice,
  async ({ page, context }) => {
    // What Chromium's setting "block all cookies" does to a page; its headless shell doesn't have the setting.
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    await page.addInitScript(denyStorage);
    await expectComplete(page);
    for (const path of ['/login', '/register']) {
      await page.goto(path);
      await expect(needsCookies(page)).toBeVisible();
    }
  },
);
