import { readFile } from 'node:fs/promises';
import {
  expect,
  expectAccessible,
  logIn,
  logInAs,
  notification,
  openMenu,
  picture,
  record,
  test,
  trySigningIn,
} from '../support/clinic.ts';
import { registerPatient } from '../support/people.ts';

test('people export their data, and are deleted when they ask for it', async ({ page, browser, request }, {
  project,
}) => {
  const nila = await registerPatient(request, 'Nila', project.name);
  const theirPage = await browser.newPage();

  await test.step('an export of one’s own data', async () => {
    await logIn(theirPage, nila.email, nila.password, '/dash/patient');
    await openMenu(theirPage);
    await theirPage.getByRole('link', { name: /^My Account: Nila Live/ }).click();
    await expect(theirPage.getByRole('heading', { name: 'My Account', level: 1 })).toBeVisible();
    await expect(theirPage.getByText(nila.email).first()).toBeVisible();
    await expectAccessible(theirPage);
    await picture(theirPage, 'my account');
    const [download] = await Promise.all([
      theirPage.waitForEvent('download'),
      theirPage.getByRole('button', { name: 'Download my data' }).click(),
    ]);
    const copy = JSON.parse(await readFile(await download.path(), 'utf8')) as {
      person: string;
      account: { user: { email: string; firstName: string }[] };
    };
    expect(copy.person).toBe(nila.email);
    expect(copy.account.user.map(({ email, firstName }) => ({ email, firstName }))).toEqual([
      { email: nila.email, firstName: 'Nila' },
    ]);
    await expect(notification(theirPage, 'The file is in your downloads')).toBeVisible();
  });

  await logInAs(page, 'admin', '/dash/admin');
  await page.getByRole('searchbox').fill(nila.email);
  const row = record(page, 'Users', nila.email);

  await test.step('deleted only after the email was typed', async () => {
    await row.getByRole('button', { name: 'Account of Nila Live' }).click();
    await page.getByRole('button', { name: 'Delete …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Nila Live' });
    await expect(dialog).toContainText('This can’t be undone.');
    await expectAccessible(page);
    await picture(page, 'admin delete person');
    await dialog.getByLabel(/^Type .* to confirm/).fill('somebody@else.example');
    await dialog.getByRole('button', { name: 'Delete Nila Live' }).click();
    await expect(dialog.getByText('This isn’t their email address')).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Deletion steps' })).toHaveCount(0);
    await dialog.getByLabel(/^Type .* to confirm/).fill(nila.email);
    await dialog.getByRole('button', { name: 'Delete Nila Live' }).click();
    await expect(dialog.getByText('Nila Live is deleted')).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Deletion steps' }).getByRole('listitem')).toHaveText([
      'Lock the account and end its sessions: done',
      'Appointments: done',
      'Messages: done',
      'Orders: done',
      'Sign-in account and user: done',
    ]);
    await expectAccessible(page);
    await picture(page, 'admin person deleted');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(row).toHaveCount(0);
  });

  await test.step('their session has ended, and their password no longer works', async () => {
    await expect(theirPage).toHaveURL(/\/login/);
    await trySigningIn(theirPage, nila.email, nila.password);
    await expect(notification(theirPage, /^Login failed/)).toBeVisible();
  });
  await theirPage.close();
});
