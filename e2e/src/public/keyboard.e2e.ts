import { expect, isPhone, onAnyDevice, test } from '../support/clinic.ts';
import { openPage } from '../support/appearance.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the skip link skips the menu', onAnyDevice, async ({ page }) => {
  await openPage(page, '/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Book Appointment', exact: true })).toBeFocused();
});

test('the menu opens, navigates and closes by keyboard', async ({ page }) => {
  await openPage(page, '/');
  const button = page.getByRole('button', { name: 'Open menu' });
  const doctors = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Doctors' });
  if (isPhone(page)) {
    await expect(doctors).toBeHidden();
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(doctors).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(doctors).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press('Space');
  }
  await expect(doctors).toBeVisible();
  await doctors.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/ourDoctors');
  // Focus is at the start of the next page, not at the top of the menu again.
  await expect(page.getByRole('main')).toBeFocused();
  if (isPhone(page)) await expect(doctors).toBeHidden();
});

test('questions open and forms are sent by keyboard', onAnyDevice, async ({ page }) => {
  await openPage(page, '/');
  const question = page.locator('summary', { hasText: 'Do you accept my insurance?' });
  const answer = page.getByText('We work with most major insurers.');
  await question.focus();
  await page.keyboard.press('Enter');
  await expect(answer).toBeVisible();
  await page.keyboard.press('Space');
  await expect(answer).toBeHidden();

  const form = page.getByRole('form', { name: 'Send us a message' });
  await form.getByLabel('First Name').focus();
  for (const text of ['Amina', 'Khatun', 'amina@mail.example', 'Are you open on Friday?']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  // The emergency number is a link.
  await expect(form.getByRole('link', { name: '999' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'Send' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByText(/^Thank you/)).toBeVisible();
});

test('the directory is searched, filtered and sorted by keyboard', onAnyDevice, async ({ page }) => {
  await openPage(page, '/ourDoctors');
  const search = page.getByRole('searchbox', { name: 'Search doctors' });
  await search.focus();
  await page.keyboard.type('tanaka');
  await expect(page.getByRole('heading', { name: 'Showing 1 doctor(s)' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Clear Search doctors' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Specialty')).toBeFocused();
  await page.keyboard.type('Ped');
  await expect(page).toHaveURL('/ourDoctors?specialty=Pediatrics');
  for (const field of ['Day', 'Time of day', 'Sort by']) {
    await page.keyboard.press('Tab');
    await expect(page.getByLabel(field, { exact: true })).toBeFocused();
  }
  await page.keyboard.type('Exp');
  await expect(page).toHaveURL('/ourDoctors?specialty=Pediatrics&sort=experience');
});
