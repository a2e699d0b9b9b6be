import { expect, test } from '../support/clinic.ts';
import { logInWithButton, logOut } from '../support/log-in.ts';

test('logging out closes the guarded pages', async ({ page }) => {
  await logInWithButton(page, 'patient', '/dash/patient');
  await logOut(page);
  for (const path of ['/dash', '/dash/patient', '/dash/admin', '/dash/myorders']) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
  }
  await page.goto('/dash/myorders');
  await page.getByRole('button', { name: 'PATIENT', exact: true }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  // The guard has remembered where they were going.
  await expect(page).toHaveURL('/dash/myorders');
});
