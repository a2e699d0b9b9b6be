import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, follow, picture, record, test } from '../support/clinic.ts';
import { logInAs } from '../support/log-in.ts';
import { confirmAddress, openOffice, registerPatient } from '../support/people.ts';

test('an admin finds what was changed, by whom, before and after', async ({ page, request, baseURL }, { project }) => {
  const sima = await registerPatient(request, 'Sima', project.name);
  // A staff role needs a confirmed address.
  await confirmAddress(request, sima);
  const office = await openOffice(baseURL);
  await office.changeRole(sima.email, 'pharmacist');
  await office.switchAccount(sima.email, 'off');
  await office.close();
  const rows = page
    .getByRole('region', { name: 'History' })
    .locator('tbody tr')
    .or(page.getByRole('list', { name: 'History' }).locator('> li'));

  await logInAs(page, 'admin', '/dash/admin');
  await follow(page, 'Dashboard', 'History');
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  // Only hers: other tests fill the first page.
  await page.getByRole('searchbox').fill(sima.email);
  await expect(rows).toHaveCount(4);
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'admin history');

  await test.step('with sign-ins', async () => {
    await page.getByLabel('Show', { exact: true }).selectOption('All, with sign-ins');
    await expect(page).toHaveURL(`/dash/history?q=${encodeURIComponent(sima.email)}&show=all`);
    await expect(record(page, 'History', 'Signed in').first()).toBeVisible();
    await page.reload();
    await expect(record(page, 'History', 'Signed in').first()).toBeVisible();
    await picture(page, 'admin history with sign-ins');
    await page.getByLabel('Show', { exact: true }).selectOption('Changes only');
    await expect(page).toHaveURL(`/dash/history?q=${encodeURIComponent(sima.email)}`);
    await expect(rows).toHaveCount(4);
    await expect(record(page, 'History', 'Signed in')).toHaveCount(0);
  });

  await test.step('by person', async () => {
    await expect(rows.nth(0)).toContainText('Account switched off');
    await expect(rows.nth(0)).toContainText(/switched off: no\s*→\s*(became\s*)?yes/);
    await expect(rows.nth(1)).toContainText('Role changed');
    await expect(rows.nth(1)).toContainText('admin@clinic.example');
    await expect(rows.nth(1)).toContainText(/role: patient\s*→\s*(became\s*)?pharmacist/);
    await expect(rows.nth(2)).toContainText('Email confirmed');
    await expect(rows.nth(3)).toContainText('User created');
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'admin history of a person');
    await rows.nth(1).getByRole('link', { name: 'User' }).click();
    await expect(record(page, 'Users', sima.email)).toContainText('Switched off');
  });

  await test.step('who viewed a person’s records', async () => {
    await record(page, 'Users', sima.email)
      .getByRole('button', { name: /^Account of/ })
      .click();
    await page.getByRole('link', { name: 'Who viewed them' }).click();
    await expect(page).toHaveURL(`/dash/history?q=${encodeURIComponent(sima.email)}&show=looks`);
    // The admin, who searched for her a moment ago.
    const row = record(page, 'Who viewed their records', 'admin@clinic.example').first();
    await expect(row).toContainText(/^(Searched for|Opened) their account/);
    await expectAccessible(page);
    await expectToFitPhone(page);
    await picture(page, 'admin who viewed');
  });
});
