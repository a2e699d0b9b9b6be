import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { APIRequestContext, Page } from '@playwright/test';
import { openPage } from '../support/appearance.ts';
import { expect, onAnyDevice, test } from '../support/clinic.ts';

test('a doctor’s card shows all details', onAnyDevice, async ({ page, request }) => {
  // Other tests book meanwhile: page and answer must be of the same moment.
  await expect(() => expectCards(page, request)).toPass();
});

/** Compares all cards of the directory with what the service says. */
async function expectCards(page: Page, request: APIRequestContext): Promise<void> {
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  await openPage(page, '/ourDoctors');
  await expect(page.getByRole('heading', { name: /^Showing \d+ doctor\(s\)$/ })).toBeVisible();
  // The rest of the list comes page by page.
  const more = page.getByRole('button', { name: 'Show more doctors' });
  await expect(async () => {
    if (await more.isVisible()) await more.click();
    expect(await page.getByRole('article').count()).toBeGreaterThanOrEqual(doctors.length);
  }).toPass();
  // Doctors just added by other tests only have a name and a specialty yet.
  const complete = doctors.filter(({ education, location }) => education !== '' && location !== '');
  expect(complete.length).toBeGreaterThanOrEqual(18);
  for (const doctor of complete) {
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: doctor.name, exact: true }) });
    for (const text of [
      doctor.specialty,
      `Qualification: ${doctor.qualification}`,
      `Education: ${doctor.education}`,
      `Location: ${doctor.location}`,
    ]) {
      await expect(card.getByText(text, { exact: true })).toBeVisible();
    }
    await expect(card.getByText(`${doctor.experience} years of experience`)).toBeVisible();
    await expect(card.getByRole('link', { name: doctor.email })).toHaveAttribute('href', `mailto:${doctor.email}`);
    await expect(card.getByText('Available', { exact: true })).toHaveCount(
      doctor.isAvailable && doctor.nextFree ? 1 : 0,
    );
    await expect(card.getByText(/^Next free: /)).toHaveCount(doctor.nextFree ? 1 : 0);
    // The free times of the next day that has any, each a link that books.
    const times = doctor.nextFreeTimes ?? [];
    // Without any, the times at which the doctor sees patients.
    const inAll = doctor.isAvailable && times.length === 0 ? doctor.availableTimes.length : times.length;
    await expect(card.getByRole('list', { name: 'Available times' }).getByText(/^\d+:\d\d [AP]M$/)).toHaveCount(
      Math.min(3, inAll),
    );
    if (doctor.nextFree)
      await expect(card.getByRole('link', { name: /, book with / }).first()).toHaveAttribute(
        'href',
        `/appoinment/${doctor._id}?date=${doctor.nextFree.date}&time=${doctor.nextFree.time}`,
      );
    await expect(card.getByText(/^\+\d+ more$/)).toHaveText(inAll > 3 ? [`+${inAll - 3} more`] : []);
    await expect(card.getByRole('img')).toHaveAccessibleName(new RegExp(doctor.name));
    const book = card.getByRole('link', { name: `Book Appointment with ${doctor.name}` });
    if (doctor.isAvailable) await expect(book).toHaveAttribute('href', `/appoinment/${doctor._id}`);
    else {
      await expect(book).toHaveCount(0);
      await expect(card.getByRole('link', { name: `See colleagues of ${doctor.name}` })).toHaveAttribute(
        'href',
        `/ourDoctors?specialty=${encodeURIComponent(doctor.specialty)}&sort=soonest`,
      );
    }
  }
}

test('search, specialty and order of the directory are kept in the address', onAnyDevice, async ({ page, request }) => {
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const names = () => page.getByRole('article').getByRole('heading').allInnerTexts();
  await openPage(page, '/');
  await openPage(page, '/ourDoctors');
  expect(await page.getByLabel('Specialty').getByRole('option').allInnerTexts()).toEqual([
    'All',
    'Cardiologist',
    'Emergency Medicine',
    'Family Medicine',
    'Orthopedic Surgery',
    'Pediatrics',
    'Dermatology',
  ]);
  expect(await page.getByLabel('Sort by').getByRole('option').allInnerTexts()).toEqual([
    'Name (A to Z)',
    'Soonest appointment',
    'Experience (highest first)',
  ]);
  const all = await names();
  expect(all).toEqual(all.toSorted((one, other) => one.localeCompare(other, 'en')));

  await page.getByRole('searchbox', { name: 'Search doctors' }).fill('CARDIO');
  // Other tests create dermatologists meanwhile.
  const cardiologists = doctors.filter(({ specialty }) => specialty === 'Cardiologist');
  await expect(page.getByRole('heading', { name: `Showing ${cardiologists.length} doctor(s)` })).toBeVisible();
  await page.getByLabel('Sort by').selectOption('Experience (highest first)');
  await expect(page).toHaveURL('/ourDoctors?q=CARDIO&sort=experience');
  await expect
    .poll(names)
    .toEqual(cardiologists.toSorted((one, other) => other.experience - one.experience).map(({ name }) => name));

  await openPage(page, '/ourDoctors?specialty=Pediatrics&sort=experience');
  await expect(page.getByLabel('Specialty')).toHaveValue('Pediatrics');
  await expect(page.getByRole('article')).toHaveCount(
    doctors.filter(({ specialty }) => specialty === 'Pediatrics').length,
  );
  await page
    .getByRole('article')
    .first()
    .getByRole('link', { name: /^Book Appointment/ })
    .click();
  await expect(page).toHaveURL('/login');
  await page.goBack();
  await expect(page).toHaveURL('/ourDoctors?specialty=Pediatrics&sort=experience');
  await expect(page.getByLabel('Specialty')).toHaveValue('Pediatrics');

  await openPage(page, '/ourDoctors?q=cardiology');
  await expect(page.getByRole('heading', { name: `Showing ${cardiologists.length} doctor(s)` })).toBeVisible();

  await openPage(page, '/ourDoctors');
  await page.getByLabel('Specialty').selectOption('Cardiologist');
  await page.getByLabel('Day', { exact: true }).selectOption('Tomorrow');
  await page.getByLabel('Time of day').selectOption('Morning');
  await expect(page).toHaveURL('/ourDoctors?specialty=Cardiologist&when=tomorrow&part=morning');
  await expect(page.getByLabel('Sort by')).toHaveValue('soonest');
  await expect(page.getByText(/^Next free: (?!tomorrow, \d+:\d\d AM)/)).toHaveCount(0);
  await expect(page.getByText(/^Next free: tomorrow, \d+:\d\d AM$/).first()).toBeVisible();

  await openPage(page, '/ourDoctors?q=nobody');
  await expect(page.getByRole('heading', { name: 'Showing 0 doctor(s)' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all doctors' }).click();
  await expect(page).toHaveURL('/ourDoctors');
  await expect
    .poll(async () =>
      Number(
        /^Showing (\d+) doctor/.exec(await page.getByRole('heading', { level: 2, name: /^Showing/ }).innerText())?.[1],
      ),
    )
    .toBeGreaterThanOrEqual(doctors.length);
});
