import { expect, expectAccessible, follow, notification, picture, record, test } from '../support/clinic.ts';
import { logIn, logInAs, logInHere } from '../support/log-in.ts';
import { expectToFitPhone } from '../support/appearance.ts';
import { registerPatient } from '../support/people.ts';

test('an admin logs somebody out everywhere, and switches the account off and on', async ({ page, browser, request }, {
  project,
}) => {
  const rumi = await registerPatient(request, 'Rumi', project.name);
  const theirs = await browser.newContext();
  const theirPage = await theirs.newPage();
  await logIn(theirPage, rumi.email, rumi.password, '/dash/patient');
  await follow(theirPage, 'Dashboard', 'Orders');
  await expect(theirPage).toHaveURL('/dash/myorders');

  await logInAs(page, 'admin', '/dash/admin');
  await page.getByLabel('Order').selectOption('Newest first');
  await expect(record(page, 'Users', rumi.email)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'admin users');
  await page.getByRole('searchbox').fill(rumi.email);
  const row = record(page, 'Users', rumi.email);

  await test.step('logged out everywhere, and the open page continues after a login', async () => {
    await row.getByRole('button', { name: 'Account of Rumi Live' }).click();
    await expect(page.getByRole('dialog', { name: 'Account of Rumi Live' })).toBeVisible();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'admin account');
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(notification(page, 'Rumi Live is logged out everywhere')).toBeVisible();
    await expect(theirPage).toHaveURL('/login');
    await expect(theirPage.getByText('You’ve been logged out on all devices.')).toBeVisible();
    await picture(theirPage, 'logged out everywhere');
    await logInHere(theirPage, rumi);
    await expect(theirPage).toHaveURL('/dash/myorders');
  });

  await test.step('switched off they are out, switched on they get in again', async () => {
    await row.getByRole('button', { name: 'Account of Rumi Live' }).click();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Yes, switch it off' }).click();
    await expect(notification(page, 'Rumi Live can’t log in any more')).toBeVisible();
    await expect(theirPage).toHaveURL('/login');
    await expect(theirPage.getByText('Your account has been switched off. Contact the clinic.')).toBeVisible();
    await expectAccessible(theirPage);
    await picture(theirPage, 'switched off');
    await logInHere(theirPage, rumi);
    await expect(
      notification(theirPage, 'Login failed: This account is switched off. Contact the clinic.'),
    ).toBeVisible();
    await expect(row).toContainText('Switched off');
    await expectAccessible(page);
    await picture(page, 'admin switched off');
    await row.getByRole('button', { name: 'Account of Rumi Live' }).click();
    await page.getByRole('button', { name: 'Switch on again' }).click();
    await expect(row).not.toContainText('Switched off');
    await logInHere(theirPage, rumi);
    await expect(theirPage).toHaveURL('/dash/myorders');
  });
  await theirs.close();
});
