import { expect, openMenu, test } from '../support/clinic.ts';
import {
  expectFlawless,
  expectNoOverflow,
  openPage,
  setWidth,
  tabThroughPage,
  takePicture,
  themes,
} from '../support/appearance.ts';

/** Every public page, the error screen and the gallery of the design system. */
const places = {
  home: '/',
  ourDoctors: '/ourDoctors',
  services: '/services',
  about: '/about',
  login: '/login',
  register: '/register',
  medicinestore: '/medicinestore',
  oops: '/no/such/page',
  gallery: '/__ui',
};

/** Whose controls are others on a phone, or in a window that is zoomed. */
const otherwise = ['home', 'medicinestore'];

test.describe.configure({ mode: 'parallel' });

for (const [name, path] of Object.entries(places)) {
  // Only developers open the gallery, which is as long as its list of components.
  const isTabbed = name !== 'gallery';
  const tabbing = isTabbed ? ', and the Tab key reaches everything in order, with a visible focus' : '';
  test(`${name} looks right at every width in both themes${tabbing}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page, path);
    if (name === 'login') await expect(page.getByRole('button', { name: 'ADMIN' })).toBeVisible();
    for (const theme of themes) {
      await expectFlawless(page, theme);
      await takePicture(page, name, theme);
    }
    await expectNoOverflow(page);
    if (isTabbed) expect((await tabThroughPage(page))[0]).toBe('Skip to content');
    // Shows the same parts as the others, in the same colours.
    await setWidth(page, 768);
    await expectNoOverflow(page);
    await takePicture(page, name, 'dark');
    await setWidth(page, 360);
    await expectFlawless(page, 'light');
    await expectNoOverflow(page);
    await takePicture(page, name, 'light');
    if (otherwise.includes(name)) expect((await tabThroughPage(page))[0]).toBe('Skip to content');
  });
}

test('menus, dialogs and error messages are as accessible as the page', async ({ page }) => {
  await openPage(page, '/');
  await openMenu(page);
  await page.getByText('Do you offer telemedicine?').click();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  for (const theme of themes) await expectFlawless(page, theme);
  await expectNoOverflow(page);
  await openPage(page, '/ourDoctors?q=nobody');
  for (const theme of themes) await expectFlawless(page, theme);
  await takePicture(page, 'ourDoctors-none', 'dark');
});
