import { mayOpen, roles, type PageDescriptor, type Role } from '@clinic/contracts';
import admin from '../../../mf-admin/remote.config.ts';
import clinic from '../../../mf-clinic/remote.config.ts';
import remote from '../../../mf-messages/remote.config.ts';
import pharmacy from '../../../mf-pharmacy/remote.config.ts';
import publicSite from '../../../mf-public/remote.config.ts';
import { menuEntries, placeInMenu } from './menu-entries.ts';

const all: readonly PageDescriptor[] = [publicSite, clinic, pharmacy, admin].flatMap(({ pages }) => pages);
const messages: readonly PageDescriptor[] = remote.pages;

test('gives each role its specified menu', () => {
  const menus = Object.fromEntries(
    roles.map((role) => [role, menuEntries(all, role).map(({ label, to }) => `${label} ${to}`)]),
  );
  expect(menus).toEqual({
    admin: [
      'All Users /dash/admin',
      'Doctors /dash/doctors',
      'Pharmacists /dash/pharmacists',
      'Appointments /dash/appoinments',
      'Orders /dash/orders',
      'All Medicine /dash/medicine',
      'Overview /dash/overview',
      'History /dash/history',
      'Deployments /dash/deployments',
    ],
    doctor: ['Records /dash/doctorAppoinments', 'Current Appointment /dash/appointmentRecord'],
    patient: ['My Appointments /dash/patient', 'Orders /dash/myorders'],
    pharmacist: ['Orders /dash/orders', 'Add Medicine /dash/addmedicine', 'All Medicine /dash/medicine'],
  });
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
    'Records',
    'Lab',
    'Current Appointment',
  ]);
  expect(menuEntries([...all, page], 'patient').map(({ label }) => label)).not.toContain('Lab');
});

describe('the place of a page', () => {
  const dashPages = [...all, ...messages].filter(({ layout }) => layout === 'dash');
  const openTo = (role: Role) => dashPages.filter(({ access }) => mayOpen(access, role)).map(({ path }) => path);
  const place = (role: Role, path: string) => placeInMenu(dashPages, role, path.replace(':id', '1'));
  const entriesOf = (role: Role) =>
    new Set([...menuEntries(dashPages, role).map(({ to }) => to), '/dash/account', '/dash/dProfile']);

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
    expect(place('admin', '/dash/calendar')).toEqual({
      entry: '/dash/appoinments',
      back: { to: '/dash/appoinments', label: 'Appointments' },
    });
    expect(place('doctor', '/dash/calendar')).toEqual({
      entry: '/dash/doctorAppoinments',
      back: { to: '/dash/doctorAppoinments', label: 'Records' },
    });
    expect(place('admin', '/dash/staff/add')).toEqual({
      entry: '/dash/admin',
      back: { to: '/dash/staff', label: 'Invitations' },
    });
    expect(place('admin', '/dash/messages/webhooks/:id')).toEqual({
      entry: '/dash/messages',
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
