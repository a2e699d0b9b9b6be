import { mayOpen, roles, type PageDescriptor, type Role } from '@clinic/contracts';
import admin from '../../../mf-admin/remote.config.ts';
import clinic from '../../../mf-clinic/remote.config.ts';
import messages from '../../../mf-messages/remote.config.ts';
import pharmacy from '../../../mf-pharmacy/remote.config.ts';
import publicSite from '../../../mf-public/remote.config.ts';
import { menuEntries, menuGroups, placeInMenu } from './menu-entries.ts';

const all: readonly PageDescriptor[] = [publicSite, clinic, pharmacy, admin, messages].flatMap(({ pages }) => pages);

/** A role's menu as it is read: each heading with its entries. */
const menuOf = (role: Role, pages = all, rights?: readonly string[]) =>
  Object.fromEntries(
    menuGroups(menuEntries(pages, role, rights)).map(({ heading = '', entries }) => [
      heading,
      entries.map(({ label, to }) => `${label} ${to}`),
    ]),
  );

test('gives each role its menu, grouped by work', () => {
  const menus = Object.fromEntries(roles.map((role) => [role, Object.entries(menuOf(role))]));
  expect(menus).toEqual({
    admin: [
      ['Today', ['Calendar /dash/calendar', 'Reception /dash/reception', 'Waitlist /dash/waitlist']],
      ['Care', ['Appointments /dash/appoinments', 'Doctors /dash/doctors', 'Hours and Holidays /dash/schedules']],
      ['Pharmacy', ['Orders /dash/orders', 'All Medicine /dash/medicine']],
      ['People', ['All Users /dash/admin', 'Invitations /dash/staff', 'Pharmacists /dash/pharmacists']],
      [
        'Clinic',
        [
          'Overview /dash/overview',
          'History /dash/history',
          'Questions Before Visits /dash/questions',
          'Messages /dash/messages',
          'Webhooks /dash/messages/webhooks',
          'Deployments /dash/deployments',
        ],
      ],
    ],
    doctor: [
      ['Today', ['Calendar /dash/calendar', 'Waitlist /dash/waitlist']],
      ['Care', ['Records /dash/doctorAppoinments', 'Current Appointment /dash/appointmentRecord']],
    ],
    patient: [
      [
        '',
        [
          'My Appointments /dash/patient',
          'Orders /dash/myorders',
          'Doctors /ourDoctors',
          'Pharmacy /medicinestore',
          'Waitlist /dash/waitlist',
        ],
      ],
    ],
    pharmacist: [['', ['Orders /dash/orders', 'Add Medicine /dash/addmedicine', 'All Medicine /dash/medicine']]],
  });
});

test('rights beside the role add their pages, each once', () => {
  const { 'My own': own, ...desk } = menuOf('patient', all, ['reception']);
  expect(desk).toEqual({
    Today: ['Calendar /dash/calendar', 'Reception /dash/reception', 'Waitlist /dash/waitlist'],
    Care: ['Appointments /dash/appoinments'],
  });
  expect(own).toHaveLength(4);
  expect(menuOf('patient', all, ['stock'])['Pharmacy']).toEqual([
    'Add Medicine /dash/addmedicine',
    'All Medicine /dash/medicine',
  ]);
  expect(menuOf('doctor', all, ['reception', 'a newer one'])).toEqual({
    Today: ['Calendar /dash/calendar', 'Reception /dash/reception', 'Waitlist /dash/waitlist'],
    Care: [
      'Records /dash/doctorAppoinments',
      'Appointments /dash/appoinments',
      'Current Appointment /dash/appointmentRecord',
    ],
  });
});

test('releases without groups, an added domain and its own group keep their entries', () => {
  const plain = all.map((page) => ({ ...page, menu: page.menu?.map(({ group: _group, ...entry }) => entry) ?? [] }));
  expect(Object.keys(menuOf('admin', plain))).toEqual(['']);
  expect(menuOf('admin', plain)['']).toHaveLength(17);
  const lab = (path: string, group?: string): PageDescriptor => ({
    path,
    layout: 'dash',
    access: ['admin'],
    title: path,
    menu: [{ label: path, roles: ['admin'], order: 50, icon: 'flask', group }],
  });
  const added = menuOf('admin', [lab('/dash/lab'), lab('/dash/samples', 'Laboratory'), ...all]);
  expect(Object.keys(added)).toEqual(['', 'Today', 'Care', 'Pharmacy', 'People', 'Laboratory', 'Clinic']);
  expect([added[''], added['Laboratory']]).toEqual([['/dash/lab /dash/lab'], ['/dash/samples /dash/samples']]);
});

test('adds entries of a new remote', () => {
  const page: PageDescriptor = {
    path: '/dash/lab',
    layout: 'dash',
    access: ['doctor'],
    title: 'Lab',
    menu: [{ label: 'Lab', roles: ['doctor'], order: 15, icon: 'flask' }],
  };
  expect(menuEntries([...all, page], 'doctor').map(({ label }) => label)).toEqual([
    'Calendar',
    'Waitlist',
    'Records',
    'Lab',
    'Current Appointment',
  ]);
  expect(menuEntries([...all, page], 'patient').map(({ label }) => label)).not.toContain('Lab');
});

describe('the place of a page', () => {
  const dashPages = all.filter(({ layout }) => layout === 'dash');
  const openTo = (role: Role) => dashPages.filter(({ access }) => mayOpen(access, role)).map(({ path }) => path);
  const place = (role: Role, path: string) => placeInMenu(dashPages, role, path.replace(':id', '1'));
  const entriesOf = (role: Role) =>
    new Set([...menuEntries(dashPages, role).map(({ to }) => to), '/dash/account', '/dash/dProfile', '/dash/search']);

  test.each(roles)('every page of %s is marked in the menu, and has a way back unless the menu has it', (role) => {
    const paths = openTo(role);
    expect(paths.length).toBeGreaterThan(5);
    const entries = entriesOf(role);
    for (const path of paths) {
      const { entry, back } = place(role, path) ?? {};
      expect([path, entries.has(entry ?? '')]).toEqual([path, true]);
      if (entry === path) expect([path, back]).toEqual([path, undefined]);
      // The way back leads to another page that the role may open.
      else
        expect([path, back?.to !== path && paths.includes(back?.to ?? ''), back?.label !== '']).toEqual([
          path,
          true,
          true,
        ]);
    }
  });

  test('leads back to the page it is opened from, by role', () => {
    expect(place('admin', '/dash/createProfile')).toEqual({
      entry: '/dash/doctors',
      back: { to: '/dash/doctors', label: 'Doctors' },
    });
    expect(place('pharmacist', '/dash/waitlist')).toEqual({
      entry: '/dash/orders',
      back: { to: '/dash/patient', label: 'All My Appoinments' },
    });
    expect(place('doctor', '/dash/waitlist')).toEqual({ entry: '/dash/waitlist', back: undefined });
    expect(place('admin', '/dash/staff/add')).toEqual({
      entry: '/dash/staff',
      back: { to: '/dash/staff', label: 'Invitations' },
    });
    expect(place('admin', '/dash/messages/webhooks/:id')).toEqual({
      entry: '/dash/messages/webhooks',
      back: { to: '/dash/messages/webhooks', label: 'Webhooks' },
    });
    expect(placeInMenu(dashPages, 'admin', '/no/such/page')).toBeUndefined();
  });

  test('a page that names none, or one that isn’t for the role, belongs to the role’s first page; loops end', () => {
    const page = (path: string, more: Partial<PageDescriptor> = {}): PageDescriptor => ({
      path,
      layout: 'dash',
      access: 'signedIn',
      title: path,
      ...more,
    });
    const added = [
      ...dashPages,
      page('/dash/lab'),
      page('/dash/lab/tests', { openedFrom: '/dash/admin' }),
      page('/dash/one', { openedFrom: '/dash/other' }),
      page('/dash/other', { openedFrom: '/dash/one' }),
    ];
    for (const path of ['/dash/lab', '/dash/lab/tests'])
      expect(placeInMenu(added, 'patient', path)).toEqual({
        entry: '/dash/patient',
        back: { to: '/dash/patient', label: 'My Appointments' },
      });
    expect(placeInMenu(added, 'patient', '/dash/one')?.back?.to).toBe('/dash/other');
  });
});
