import { pages as pagesOf } from '@clinic/contracts/pages';
import { mayOpen, type Doctor, type Role } from '@clinic/contracts';
import type { Page } from '@playwright/test';

/** Who looks at a screen; `nobody` has no account. */
export type Visitor = Role | 'nobody';

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
function everyPage(): Screen[] {
  return visitors.flatMap((as) => {
    const role = as === 'nobody' ? undefined : as;
    return Object.values(pagesOf)
      .flatMap((pages) => [...pages])
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
  const more = page
    .getByRole('button', { name: /^More actions/ })
    .filter({ visible: true })
    .first();
  if (await more.isVisible()) await more.click();
  await press(name)(page);
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
  { name: 'Pharmacy, with a cart', as: 'nobody', path: '/medicinestore', act: addToCart },
  { name: 'Theme', as: 'nobody', path: '/about', act: press(/^Theme$/) },
  { name: 'Demo mailbox', as: 'nobody', path: '/demo-mailbox?email=patient@clinic.example' },
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
    act: (page) =>
      page
        .getByRole('button', { name: /^(?:Reschedule|Move)/ })
        .filter({ visible: true })
        .first()
        .click(),
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
  { name: 'Users, none match', as: 'admin', path: '/dash/admin?q=nobodyatall' },
  { name: 'Users, not loaded', as: 'admin', path: '/dash/admin', fails: '/users?' },
  { name: 'Account of a user', as: 'admin', path: '/dash/admin', act: press(/^Account of/) },
  { name: 'Profile of a doctor', as: 'admin', path: '/dash/doctors', act: press(/^Profile of/) },
  { name: 'Profile of a pharmacist', as: 'admin', path: '/dash/pharmacists', act: press(/^Profile of/) },
  { name: 'Change a role', as: 'admin', path: '/dash/admin?role=pharmacist', act: (page) => changeRole(page) },
  { name: 'Booking for somebody', as: 'admin', path: '/appoinment/:id' },
];

async function changeRole(page: Page): Promise<void> {
  await page
    .getByRole('combobox', { name: /^Role of/ })
    .first()
    .selectOption('patient');
  await page.getByRole('alertdialog').waitFor();
}

/** All screens and states. @param doctor - the one to book with */
export function screensWith(doctor: Pick<Doctor, '_id'>): readonly Screen[] {
  return [...everyPage(), ...states].map((screen) => ({ ...screen, path: screen.path.replace(':id', doctor._id) }));
}
