import type { Role } from './roles.ts';

/**
 * The frame the shell puts around a page: `public` has the public top bar, `guarded` adds the login guard, and `dash`
 * is the dashboard with its menu, behind the login guard.
 */
export type PageLayout = 'public' | 'guarded' | 'dash';

/** Who may open a page: everyone, every signed-in user, or the named roles. */
export type PageAccess = 'everyone' | 'signedIn' | readonly Role[];

/** A page that a remote offers. */
export interface PageDescriptor {
  /** Route path as the router writes it, e.g. `/appoinment/:_id`. */
  readonly path: string;
  readonly layout: PageLayout;
  readonly access: PageAccess;
  /** Exists in demos only: elsewhere the gateway leaves it out of the registry. */
  readonly demo?: true | undefined;
  /** For the document title. */
  readonly title: string;
  /**
   * One or two sentences about the page for link previews and search engines, which only list public pages that have
   * them.
   */
  readonly description?: string;
  /** Where to send a role without access, instead of the 'not for you' page. */
  readonly insteadFor?: Readonly<Partial<Record<Role, string>>>;
  /**
   * The page it is opened from, for roles whose menu doesn't have it: the menu marks that page, and a link leads back to it.
   * Without one, the role's first page.
   */
  readonly openedFrom?: string | Readonly<Partial<Record<Role, string>>>;
  /** Entries in the dashboard menu, lowest `order` first. */
  readonly menu?: readonly MenuEntry[];
  /** Entry in the public top bar, for people who may open the page. Its path has no parameters. */
  readonly topBar?: TopBarEntry;
  /**
   * Name of the exposed module with the page's screen, e.g. `./pages/about`; written by the remote's build. Builds from
   * before pages were exposed have none: their screens are routes of `./module`.
   */
  readonly expose?: string | undefined;
}

/** One entry of the top bar: after Home and Dashboard, before Login. Lowest `order` first. */
export interface TopBarEntry {
  readonly label: string;
  readonly order: number;
}

export interface MenuEntry {
  readonly label: string;
  readonly roles: readonly Role[];
  readonly order: number;
  /** Name of the icon in the design system. */
  readonly icon: string;
}

const staff = ['pharmacist', 'admin'] as const;

/**
 * Every page of the product, by the remote that owns it. Each remote publishes its own part, so a new domain brings its
 * own list and needs no line here.
 */
export const pages = {
  'mf-public': [
    {
      path: '/',
      layout: 'public',
      access: 'everyone',
      title: 'Exceptional healthcare since 2010',
      description:
        'Find a doctor, book an appointment in a minute and order medicines. Cardiology, emergency care, family medicine and prevention under one roof in Dhaka.',
    },
    {
      path: '/about',
      layout: 'public',
      access: 'everyone',
      title: 'About Us',
      topBar: { label: 'About', order: 30 },
      description:
        'Who we are: a clinic that has cared for families, neighbours and newcomers since 2010. Our mission, our vision and the four values we hold each other to.',
    },
    {
      path: '/services',
      layout: 'public',
      access: 'everyone',
      title: 'Services',
      description:
        'Cardiology, emergency care, family medicine and preventive care: what we do, what to expect, and who will look after you.',
    },
    {
      path: '/ourDoctors',
      layout: 'public',
      access: 'everyone',
      title: 'Our Doctors',
      topBar: { label: 'Doctors', order: 10 },
      description:
        'Search our doctors by name or specialty, see their experience and their next free time, and book an appointment online.',
    },
  ],
  'mf-clinic': [
    { path: '/appoinment/:_id', layout: 'guarded', access: 'signedIn', title: 'Book Appointment' },
    {
      path: '/dash/appoinments',
      layout: 'dash',
      access: ['admin'],
      title: 'Appointments',
      // The hero's Book Appointment link leads here: whoever books for themselves wants to choose a doctor.
      insteadFor: { patient: '/ourDoctors', doctor: '/ourDoctors', pharmacist: '/ourDoctors' },
      menu: [{ label: 'Appointments', roles: ['admin'], order: 40, icon: 'calendar' }],
    },
    // Opened from the lists of appointments; the menus are fixed.
    {
      path: '/dash/calendar',
      layout: 'dash',
      access: ['doctor', 'admin'],
      title: 'Calendar',
      openedFrom: { doctor: '/dash/doctorAppoinments', admin: '/dash/appoinments' },
    },
    {
      path: '/dash/doctorAppoinments',
      layout: 'dash',
      access: 'signedIn',
      title: 'Record',
      openedFrom: { patient: '/dash/patient', admin: '/dash/appoinments' },
      menu: [{ label: 'Records', roles: ['doctor'], order: 10, icon: 'clipboard' }],
    },
    {
      path: '/dash/appointmentRecord',
      layout: 'dash',
      access: ['doctor'],
      title: 'CurrentAppoinments',
      menu: [{ label: 'Current Appointment', roles: ['doctor'], order: 20, icon: 'clock' }],
    },
    { path: '/dash/dProfile', layout: 'dash', access: ['doctor'], title: 'My Profile' },
    // Opened from the list of doctors; the menus are fixed.
    {
      path: '/dash/schedules',
      layout: 'dash',
      access: ['admin'],
      title: 'Hours and Holidays',
      openedFrom: '/dash/doctors',
    },
    // Opened from the lists of appointments and from offers.
    {
      path: '/dash/waitlist',
      layout: 'dash',
      access: 'signedIn',
      title: 'Waitlist',
      openedFrom: {
        patient: '/dash/patient',
        pharmacist: '/dash/patient',
        doctor: '/dash/doctorAppoinments',
        admin: '/dash/appoinments',
      },
    },
    {
      path: '/dash/patient',
      layout: 'dash',
      access: 'signedIn',
      title: 'All My Appoinments',
      openedFrom: { doctor: '/dash/doctorAppoinments', admin: '/dash/appoinments' },
      menu: [{ label: 'My Appointments', roles: ['patient'], order: 10, icon: 'calendar' }],
    },
  ],
  'mf-pharmacy': [
    {
      path: '/medicinestore',
      layout: 'public',
      access: 'everyone',
      title: 'Pharmacy',
      topBar: { label: 'Pharmacy', order: 20 },
      description:
        'Order medicines online from the clinic’s own pharmacy: search by name, see prices and what is in stock, and have it delivered to your door.',
    },
    {
      path: '/dash/orders',
      layout: 'dash',
      access: staff,
      title: 'Orders',
      menu: [
        { label: 'Orders', roles: ['admin'], order: 50, icon: 'package' },
        { label: 'Orders', roles: ['pharmacist'], order: 10, icon: 'package' },
      ],
    },
    {
      path: '/dash/addmedicine',
      layout: 'dash',
      access: staff,
      title: 'Add New Medicine',
      openedFrom: '/dash/medicine',
      menu: [{ label: 'Add Medicine', roles: ['pharmacist'], order: 20, icon: 'plus' }],
    },
    {
      path: '/dash/medicine',
      layout: 'dash',
      access: staff,
      title: 'Medicine Inventory',
      menu: [
        { label: 'All Medicine', roles: ['pharmacist'], order: 30, icon: 'pill' },
        { label: 'All Medicine', roles: ['admin'], order: 55, icon: 'pill' },
      ],
    },
    {
      path: '/dash/myorders',
      layout: 'dash',
      access: 'signedIn',
      title: 'My Orders',
      openedFrom: { pharmacist: '/dash/orders', admin: '/dash/orders' },
      menu: [{ label: 'Orders', roles: ['patient'], order: 20, icon: 'package' }],
    },
  ],
  'mf-admin': [
    {
      path: '/dash/admin',
      layout: 'dash',
      access: ['admin'],
      title: 'All Users',
      menu: [{ label: 'All Users', roles: ['admin'], order: 10, icon: 'users' }],
    },
    {
      path: '/dash/doctors',
      layout: 'dash',
      access: ['admin'],
      title: 'Doctors',
      menu: [{ label: 'Doctors', roles: ['admin'], order: 20, icon: 'stethoscope' }],
    },
    {
      path: '/dash/pharmacists',
      layout: 'dash',
      access: ['admin'],
      title: 'Pharmacists',
      menu: [{ label: 'Pharmacists', roles: ['admin'], order: 30, icon: 'pill' }],
    },
    {
      path: '/dash/createProfile',
      layout: 'dash',
      access: ['admin'],
      title: 'Create Profile',
      openedFrom: '/dash/doctors',
    },
    // Opened from buttons on the three lists above; the menus are fixed.
    { path: '/dash/staff', layout: 'dash', access: ['admin'], title: 'Invitations', openedFrom: '/dash/admin' },
    { path: '/dash/staff/add', layout: 'dash', access: ['admin'], title: 'Add Staff', openedFrom: '/dash/staff' },
    {
      path: '/dash/overview',
      layout: 'dash',
      access: ['admin'],
      title: 'Overview',
      menu: [{ label: 'Overview', roles: ['admin'], order: 60, icon: 'activity' }],
    },
    // Opened from the user's own name in the dashboard; the menus are fixed.
    { path: '/dash/account', layout: 'dash', access: 'signedIn', title: 'My Account' },
    {
      path: '/dash/history',
      layout: 'dash',
      access: ['admin'],
      title: 'History',
      menu: [{ label: 'History', roles: ['admin'], order: 70, icon: 'clock' }],
    },
    {
      path: '/dash/deployments',
      layout: 'dash',
      access: ['admin'],
      title: 'Deployments',
      menu: [{ label: 'Deployments', roles: ['admin'], order: 90, icon: 'refresh' }],
    },
  ],
} as const satisfies Record<string, readonly PageDescriptor[]>;

/** Addresses that the shell serves itself; `/dash` redirects to the landing page of the role. */
export const shellPages = ['/login', '/register', '/auth/action', '/dash'] as const;

/** Shows the design system; development only. */
export const galleryPage = '/__ui';

/** Titles of the shell's own pages before their scripts run, by path. */
export const shellPageTexts: Readonly<Record<string, Pick<PageDescriptor, 'title' | 'description'>>> = {
  '/login': { title: 'Login', description: 'Log in to see your appointments and orders.' },
  '/register': {
    title: 'Create Your Account',
    description: 'Create an account to book appointments and order medicines online.',
  },
  '/auth/action': { title: 'Your account' },
};

/** Correctly spelled or expected addresses that redirect to the specified ones; by the remote that owns the target. */
export const redirects = {
  'mf-public': [{ from: '/appointments', to: '/ourDoctors' }],
  'mf-clinic': [
    { from: '/appointment/:_id', to: '/appoinment/:_id' },
    { from: '/dash/appointments', to: '/dash/appoinments' },
    { from: '/dash/doctorAppointments', to: '/dash/doctorAppoinments' },
    { from: '/dash/appoinmentRecord', to: '/dash/appointmentRecord' },
  ],
  'mf-pharmacy': [
    { from: '/medicineStore', to: '/medicinestore' },
    { from: '/pharmacy', to: '/medicinestore' },
  ],
  'mf-admin': [],
} as const satisfies Record<keyof typeof pages, readonly Redirect[]>;

export interface Redirect {
  readonly from: string;
  readonly to: string;
}

/** Whether a role may open a page; `undefined` is a visitor who isn't signed in. */
export function mayOpen(access: PageAccess, role: Role | undefined): boolean {
  if (access === 'everyone') return true;
  if (role === undefined) return false;
  return access === 'signedIn' || access.includes(role);
}
