import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Locator, Page } from '@playwright/test';
import { anywhere, expect, onAnyDevice, openCart, test } from '../support/clinic.ts';
import { logInAs, logOut } from '../support/log-in.ts';

/** Pages with a form, and how it is opened. */
interface FormPage {
  readonly what: string;
  readonly as?: Parameters<typeof logInAs>[1];
  readonly path: string | ((page: Page) => Promise<string>);
  readonly open?: (page: Page) => Promise<void>;
  readonly form: string;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

async function firstDoctor(page: Page): Promise<string> {
  const doctors = (await (await page.request.get('/doctors?limit=1')).json()) as Doctor[];
  return `/appoinment/${doctors[0]?._id ?? ''}`;
}

const forms: readonly FormPage[] = [
  { what: 'registration', path: '/register', form: 'main form' },
  { what: 'a message to the clinic', path: '/', form: 'form:has([name="message"])' },
  {
    what: 'booking',
    as: 'patient',
    path: firstDoctor,
    // Filled in from earlier visits: wait, so that it doesn't mix with what the test types.
    open: (page) => expect(page.getByLabel('Address')).not.toHaveValue(''),
    form: 'main form',
  },
  {
    what: 'an order',
    as: 'patient',
    path: '/medicinestore',
    open: async (page) => {
      const add = page.getByRole('button', { name: /^Add .*to cart/i }).and(page.locator(':enabled'));
      if (await page.getByRole('button', { name: /^Cart \(0\)/ }).isVisible()) await add.first().click();
      await openCart(page);
    },
    form: 'form[aria-label="Order"]',
  },
  {
    what: 'one’s own details',
    as: 'patient',
    path: '/dash/account',
    open: press('Change my details'),
    form: 'form[aria-label="Your details"]',
  },
  { what: 'a new profile', as: 'admin', path: '/dash/createProfile', form: 'main form' },
  { what: 'a new medicine', as: 'pharmacist', path: '/dash/addmedicine', form: 'form[aria-label="Add New Medicine"]' },
  {
    what: 'a counter order',
    as: 'pharmacist',
    path: '/dash/orders',
    open: press(/counter order/i),
    form: 'form[aria-label="Counter order"]',
  },
];

/** Fields that people type into; what a password field has is never kept. */
const fieldsOf = (form: Locator) =>
  form.locator(
    'textarea:visible, input:visible:is([type=text], [type=tel], [type=email]):not([readonly], [role=combobox])',
  );

async function openForm(page: Page, { path, open, form }: FormPage): Promise<Locator> {
  await page.goto(typeof path === 'string' ? path : await path(page));
  const found = page.locator(form).first();
  await open?.(page);
  await expect(fieldsOf(found).first()).toBeVisible();
  return found;
}

const valuesOf = (form: Locator) =>
  fieldsOf(form).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

const storedOf = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));

/** Fills in all fields. @returns what was typed */
async function typeInto(form: Locator): Promise<string[]> {
  const fields = fieldsOf(form);
  const typed: string[] = [];
  for (let at = 0; at < (await fields.count()); at += 1) {
    const kind = await fields.nth(at).getAttribute('type');
    typed.push(kind === 'tel' ? `01711 12345${at}` : kind === 'email' ? `typed${at}@mail.example` : `Typed ${at}`);
    await fields.nth(at).fill(typed[at] ?? '');
  }
  return typed;
}

for (const [person, pages] of Map.groupBy(forms, ({ as }) => as))
  // All forms keep it in the same way: Firefox tries those of one person.
  test(
    `a reload keeps what was typed, until the log-out: ${pages.map(({ what }) => what).join(', ')}`,
    person === 'patient' ? onAnyDevice : anywhere,
    async ({ page }) => {
      // Some pages ask first.
      page.on('dialog', (dialog) => void dialog.accept());
      if (person) await logInAs(page, person, '/dash');
      for (const formPage of pages) {
        const form = await openForm(page, formPage);
        const typed = await typeInto(form);
        const password = form.locator('input[name=password]');
        if (await password.count()) await password.fill('never kept 1');
        expect(await valuesOf(form)).toEqual(typed);
        await page.reload();
        await formPage.open?.(page);
        await expect.poll(() => valuesOf(form)).toEqual(typed);
        if (await password.count()) await expect(password).toHaveValue('');
        expect(await storedOf(page)).not.toContain('Typed');
        if (formPage.open) await page.keyboard.press('Escape');
      }
      if (!person) return;
      await page.goto('/dash');
      await logOut(page);
      expect(await storedOf(page)).not.toContain('Typed');
      await logInAs(page, person, '/dash');
      for (const formPage of pages)
        expect((await valuesOf(await openForm(page, formPage))).join()).not.toContain('Typed');
    },
  );
