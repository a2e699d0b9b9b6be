import {
  expect,
  expectAccessible,
  giveRoleWithProfile,
  logIn,
  logInAs,
  menuEntries,
  notification,
  onAnyDevice,
  picture,
  record,
  test,
} from '../support/clinic.ts';
import { menus } from '../support/menus.ts';
import { confirmAddress, registerPatient } from '../support/people.ts';

test('an admin changes a role, logs somebody out everywhere, and switches the account off and on', async ({
  page,
  browser,
  request,
}, { project }) => {
  const rumi = await registerPatient(request, 'Rumi', project.name);
  await confirmAddress(request, rumi);
  const theirs = await browser.newContext();
  const theirPage = await theirs.newPage();
  await logIn(theirPage, rumi.email, rumi.password, '/dash/patient');
  expect(await menuEntries(theirPage)).toEqual(menus.patient);

  await logInAs(page, 'admin', '/dash/admin');
  await page.getByLabel('Order').selectOption('Newest first');
  await expect(record(page, 'Users', rumi.email)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'admin users');
  await page.getByRole('searchbox').fill(rumi.email);
  const row = record(page, 'Users', rumi.email);

  await test.step('a new role reaches the open page', async () => {
    await giveRoleWithProfile(page, row, 'Doctor');
    await expect(notification(page, 'Rumi Live is now Doctor')).toBeVisible();
    await expect.poll(() => menuEntries(theirPage)).toEqual(menus.doctor);
  });

  await test.step('logged out everywhere', async () => {
    await row.getByRole('button', { name: 'Account of Rumi Live' }).click();
    await expect(page.getByRole('dialog', { name: 'Account of Rumi Live' })).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'admin account');
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(notification(page, 'Rumi Live is logged out everywhere')).toBeVisible();
    await expect(theirPage).toHaveURL(/\/login/);
  });

  await test.step('switched off they are out, switched on they get in again', async () => {
    await logIn(theirPage, rumi.email, rumi.password, '/dash/doctorAppoinments');
    await row.getByRole('button', { name: 'Account of Rumi Live' }).click();
    const isOut = async (): Promise<number> => (await theirs.request.get(`/doc-pharma/${rumi.email}`)).status();
    expect(await isOut()).toBe(200);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await expect(notification(page, 'Rumi Live can’t log in any more')).toBeVisible();
    await expect.poll(isOut).toBe(401);
    await expect(theirPage).toHaveURL(/\/login/);
    await expect(row).toContainText('Switched off');
    await expectAccessible(page);
    await picture(page, 'admin switched off');
    await row.getByRole('button', { name: 'Account of Rumi Live' }).click();
    await page.getByRole('button', { name: 'Switch on again' }).click();
    await expect(row).not.toContainText('Switched off');
    await logIn(theirPage, rumi.email, rumi.password, '/dash/doctorAppoinments');
  });
  await theirs.close();
});

test('the last admin can’t be demoted or switched off, and the page says why', onAnyDevice, async ({ page }) => {
  await logInAs(page, 'admin', '/dash/admin');
  await page.getByRole('searchbox').fill('admin@clinic.example');
  const own = record(page, 'Users', 'admin@clinic.example');
  const role = own.getByRole('combobox', { name: /^Role of/ });
  await expect(role).toBeDisabled();
  await expect(own.getByText('You’re the only admin.')).toBeVisible();
  await expect(role).toHaveAccessibleDescription(/^You’re the only admin/);
  await expectAccessible(page);
  await picture(page, 'admin the last one');
  // Nor by calling the service directly.
  const { _id } = (await (await page.request.get('/users/admin@clinic.example')).json()) as { readonly _id: string };
  const rejected = await page.request.patch(`/update-role/${_id}`, {
    data: { newRole: 'patient' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect([rejected.status(), ((await rejected.json()) as { readonly code: string }).code]).toEqual([409, 'own_role']);
  await own.getByRole('button', { name: /^Account of/ }).click();
  await expect(page.getByText('You can’t switch off your own account')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Switch off' })).toHaveCount(0);
});
