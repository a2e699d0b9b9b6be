import { openMenu, test } from '../support/clinic.ts';
import { expectFlawless, expectNoOverflow, openPage, setWidth, takePicture, themes } from '../support/appearance.ts';

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

// Each page is checked three times, which takes longer than usual on a busy machine.
test.describe.configure({ mode: 'parallel', timeout: 180_000 });

for (const [name, path] of Object.entries(places)) {
  test(`${name} looks right at every width in both themes`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page, path);
    for (const theme of themes) {
      await expectFlawless(page, theme);
      await takePicture(page, name, theme);
    }
    await expectNoOverflow(page);
    // Shows the same parts as the others, in the same colours.
    await setWidth(page, 768);
    await expectNoOverflow(page);
    await takePicture(page, name, 'dark');
    await setWidth(page, 360);
    await expectFlawless(page, 'light');
    await expectNoOverflow(page);
    await takePicture(page, name, 'light');
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
