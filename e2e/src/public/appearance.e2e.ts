import { isPhone, openMenu, test } from '../support/clinic.ts';
import { expectFlawless, expectNoOverflow, openPage, takePicture, themes } from '../support/appearance.ts';

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

// Each page is checked up to three times, which takes longer than usual on a busy machine.
test.describe.configure({ mode: 'parallel', timeout: 180_000 });

for (const [name, path] of Object.entries(places)) {
  test(`${name} looks right at every width in both themes`, async ({ page }) => {
    for (const width of isPhone(page) ? [360] : [768, 1440]) {
      await page.setViewportSize({ width, height: width < 768 ? 780 : 900 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await openPage(page, path);
      for (const theme of themes) {
        // Colours don't depend on the width. At 768 px the same parts are shown as at 1440 px or on a phone.
        if (width !== 768 || theme === 'light') await expectFlawless(page, theme);
        await takePicture(page, name, theme);
      }
      await expectNoOverflow(page);
    }
  });
}

test('menus, dialogs and error messages are as accessible as the page', async ({ page }) => {
  await openPage(page, '/');
  await openMenu(page);
  await page.getByRole('button', { name: 'Do you offer telemedicine?' }).click();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  for (const theme of themes) await expectFlawless(page, theme);
  await expectNoOverflow(page);
  await openPage(page, '/ourDoctors?q=nobody');
  for (const theme of themes) await expectFlawless(page, theme);
  await takePicture(page, 'ourDoctors-none', 'dark');
});
