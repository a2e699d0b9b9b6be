import { galleryPage, mayOpen, type Role } from '@clinic/contracts';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Page } from '@playwright/test';
import { everyPage } from '../support/pages.ts';

/** Who sees a screen; `nobody` has no account. */
type Visitor = Role | 'nobody';

export interface Screen {
  readonly name: string;
  readonly as: Visitor;
  readonly path: string;
  /** Brings the page into the state to show. */
  readonly act?: (page: Page) => Promise<void>;
  /** Calls that fail, as a part of their path, or never end. */
  readonly fails?: string;
  readonly hangs?: string;
}

const visitors: readonly Visitor[] = ['nobody', 'patient', 'doctor', 'pharmacist', 'admin'];

/** Every page, for everybody who may open it; those for everybody as a visitor only. */
function everyScreen(): Screen[] {
  return visitors.flatMap((as) => {
    const role = as === 'nobody' ? undefined : as;
    return everyPage
      .filter(({ access, path }) => !path.includes(':') && mayOpen(access, role))
      .filter(({ access }) => access !== 'everyone' || role === undefined)
      .map(({ title, path }) => ({ name: title, as, path }));
  });
}

const press = (name: RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click();

const addToCart = (page: Page) => page.getByRole('button', { name: 'Add to Cart', disabled: false }).first().click();

/** On narrow screens the actions of a row are on its card. */
async function pressInMenu(page: Page, name: RegExp): Promise<void> {
  const shown = (button: RegExp) => page.getByRole('button', { name: button }).filter({ visible: true }).first();
  const more = shown(/^More actions/);
  await more.or(shown(name)).first().waitFor();
  if (!(await shown(name).isVisible())) await more.click();
  await shown(name).click();
}

/** States that the addresses alone don't show. */
const states: readonly Screen[] = [
  { name: 'Login', as: 'nobody', path: '/login' },
  { name: 'Login, fields missing', as: 'nobody', path: '/login', act: press(/^Sign In$/) },
  {
    name: 'Login, wrong password',
    as: 'nobody',
    path: '/login',
    async act(page) {
      await page.getByLabel('Email').fill('patient@clinic.example');
      await page.getByLabel('Password', { exact: true }).fill('not-the-one');
      await press(/^Sign In$/)(page);
      await page
        .getByText(/^Login failed/)
        .first()
        .waitFor();
    },
  },
  { name: 'Login, password forgotten', as: 'nobody', path: '/login', act: press(/^Forgot password/) },
  { name: 'Register', as: 'nobody', path: '/register' },
  { name: 'Register, fields missing', as: 'nobody', path: '/register', act: press(/^Create My Account$/) },
  { name: 'Unknown address', as: 'nobody', path: '/no/such/page' },
  { name: 'Doctors, nobody found', as: 'nobody', path: '/ourDoctors?q=nobody' },
  { name: 'Doctors, not loaded', as: 'nobody', path: '/ourDoctors', fails: '/doctors' },
  { name: 'Doctors, loading', as: 'nobody', path: '/ourDoctors', hangs: '/doctors' },
  { name: 'Pharmacy, loading', as: 'nobody', path: '/medicinestore', hangs: '/medicine?' },
  { name: 'Pharmacy, not loaded', as: 'nobody', path: '/medicinestore', fails: '/medicine?' },
  { name: 'Pharmacy, its files missing', as: 'nobody', path: '/medicinestore', fails: '/mf/mf-pharmacy/' },
  { name: 'Details of a medicine', as: 'nobody', path: '/medicinestore', act: press(/^Details/) },
  { name: 'Pharmacy, removed from the cart', as: 'nobody', path: '/medicinestore', act: removeFromCart },
  { name: 'Pharmacy, with a cart', as: 'nobody', path: '/medicinestore', act: addToCart },
  { name: 'Theme', as: 'nobody', path: '/about', act: press(/^Theme$/) },
  { name: 'Demo mailbox', as: 'nobody', path: '/mailbox?q=patient@clinic.example' },
  { name: 'Page of another role', as: 'patient', path: '/dash/admin' },
  { name: 'Booking', as: 'patient', path: '/appoinment/:id' },
  { name: 'Booking, fields missing', as: 'patient', path: '/appoinment/:id', act: press(/^Book Appointment$/) },
  { name: 'My appointments, none match', as: 'patient', path: '/dash/patient?q=nobody' },
  { name: 'My appointments, not loaded', as: 'patient', path: '/dash/patient', fails: '/appoinments?' },
  { name: 'My appointments, loading', as: 'patient', path: '/dash/patient', hangs: '/appoinments?' },
  {
    name: 'Reschedule',
    as: 'patient',
    path: '/dash/patient',
    act: (page) => pressInMenu(page, /^Reschedule/),
  },
  {
    name: 'History of an appointment',
    as: 'patient',
    path: '/dash/patient',
    act: (page) => pressInMenu(page, /^History/),
  },
  {
    name: 'Cancel an appointment',
    as: 'doctor',
    path: '/dash/appointmentRecord',
    async act(page) {
      await page
        .getByRole('combobox', { name: /^Status of/ })
        .first()
        .selectOption('Cancelled');
    },
  },
  {
    name: 'Correct the details of an appointment',
    as: 'doctor',
    path: '/dash/appointmentRecord',
    act: (page) => pressInMenu(page, /^Correct details/),
  },
  { name: 'My orders, loading', as: 'patient', path: '/dash/myorders', hangs: '/orderMedi?' },
  { name: 'My orders, not loaded', as: 'patient', path: '/dash/myorders', fails: '/orderMedi?' },
  { name: 'My account, not loaded', as: 'patient', path: '/dash/account', fails: '/users/' },
  { name: 'Change my details', as: 'patient', path: '/dash/account', act: press(/^Change my details$/) },
  { name: 'My details saved, with Undo', as: 'patient', path: '/dash/account', act: saveDetails },
  { name: 'Change my password', as: 'patient', path: '/dash/account', act: press(/^Change my password$/) },
  { name: 'Delete my account', as: 'patient', path: '/dash/account', act: press(/^Delete my account/) },
  { name: 'Hours, leaving without saving', as: 'doctor', path: '/dash/dProfile', act: leaveUnsaved },
  { name: 'Time off', as: 'doctor', path: '/dash/dProfile', act: press(/^Add time off/) },
  { name: 'History of an order', as: 'patient', path: '/dash/myorders', act: press(/^History of/) },
  { name: 'Ship pending orders', as: 'pharmacist', path: '/dash/orders', act: press(/^Ship pending/) },
  {
    name: 'Cancel an order',
    as: 'pharmacist',
    path: '/dash/orders?status=pending',
    async act(page) {
      await page
        .getByRole('combobox', { name: /^Status of/ })
        .first()
        .selectOption('Cancelled');
    },
  },
  { name: 'Restock', as: 'pharmacist', path: '/dash/medicine', act: press(/^Restock/) },
  { name: 'Edit a medicine', as: 'pharmacist', path: '/dash/medicine', act: (page) => pressInMenu(page, /^Edit/) },
  { name: 'Add medicine, fields missing', as: 'pharmacist', path: '/dash/addmedicine', act: press(/^Add Medicine$/) },
  { name: 'Hours of a doctor', as: 'admin', path: '/dash/schedules?doctor=:id' },
  { name: 'Hours, not loaded', as: 'admin', path: '/dash/schedules?doctor=:id', fails: '/schedule' },
  { name: 'Remove a holiday', as: 'admin', path: '/dash/schedules', act: removeHoliday },
  { name: 'History, with sign-ins', as: 'admin', path: '/dash/history?show=all' },
  { name: 'History, who viewed', as: 'admin', path: '/dash/history?q=patient@clinic.example&show=looks' },
  { name: 'History, none match', as: 'admin', path: '/dash/history?q=nobody@mail.example' },
  { name: 'History, not loaded', as: 'admin', path: '/dash/history', fails: '/events' },
  { name: 'Overview, not loaded', as: 'admin', path: '/dash/overview', fails: '/report' },
  { name: 'Users, loading', as: 'admin', path: '/dash/admin', hangs: '/users?' },
  { name: 'Users, none match', as: 'admin', path: '/dash/admin?q=nobodyatall' },
  { name: 'Users, not loaded', as: 'admin', path: '/dash/admin', fails: '/users?' },
  { name: 'Account of a user', as: 'admin', path: '/dash/admin', act: press(/^Account of/) },
  { name: 'Profile of a doctor', as: 'admin', path: '/dash/doctors', act: press(/^Profile of/) },
  { name: 'Profile of a pharmacist', as: 'admin', path: '/dash/pharmacists', act: press(/^Profile of/) },
  { name: 'Change a role', as: 'admin', path: '/dash/admin?role=pharmacist', act: (page) => changeRole(page) },
  { name: 'Booking for somebody', as: 'admin', path: '/appoinment/:id' },
];

/** The gallery of the design system, a group at a time: the whole exceeds a picture's maximum height. */
const gallery = ['actions', 'fields', 'choices', 'states', 'records', 'lists', 'dialogs', 'charts'].flatMap(
  (group): Screen[] => [
    { name: `Gallery, ${group}`, as: 'nobody', path: `${galleryPage}?group=${group}` },
    { name: `Gallery, ${group}, right to left`, as: 'nobody', path: `${galleryPage}?group=${group}&dir=rtl` },
  ],
);

async function removeFromCart(page: Page): Promise<void> {
  await addToCart(page);
  const cart = page.getByRole('button', { name: /^Cart \(\d+\)/ }).filter({ visible: true });
  if (await cart.isVisible()) await cart.click();
  await press(/^Remove .+ from the cart$/)(page);
}

async function saveDetails(page: Page): Promise<void> {
  await press(/^Change my details$/)(page);
  await page
    .getByLabel('Address', { exact: true })
    .fill(`${page.viewportSize()?.width} Satmasjid Road, Dhanmondi, Dhaka 1209`);
  await press(/^Save my details$/)(page);
  await page.getByRole('button', { name: /^Undo: / }).waitFor();
}

async function leaveUnsaved(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'I take appointments' }).uncheck();
  await page
    .getByRole('link', { name: /Clinic/ })
    .first()
    .click();
  await page.getByRole('alertdialog').waitFor();
}

async function removeHoliday(page: Page): Promise<void> {
  const remove = page.getByRole('button', { name: 'Remove Founders’ Day' });
  const form = page.getByRole('form', { name: 'New holiday' });
  await form.waitFor();
  if (page.viewportSize()?.width === 1280) {
    await form.getByLabel('Name').fill('Founders’ Day');
    await form.getByLabel('First day').fill(new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10));
    await form.getByRole('button', { name: 'Add holiday' }).click();
  }
  await remove.click();
}

async function changeRole(page: Page): Promise<void> {
  await page
    .getByRole('combobox', { name: /^Role of/ })
    .first()
    .selectOption('patient');
  await page.getByRole('alertdialog').waitFor();
}

/** All screens and states. @param doctor - the one to book with */
export function screensWith(doctor: Pick<Doctor, '_id'>): readonly Screen[] {
  return [...everyScreen(), ...states, ...gallery].map((screen) => ({
    ...screen,
    path: screen.path.replace(':id', doctor._id),
  }));
}
