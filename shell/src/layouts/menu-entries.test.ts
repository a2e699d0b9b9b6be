import { pages, roles, type PageDescriptor } from '@clinic/contracts';
import { menuEntries } from './menu-entries.ts';

const all: readonly PageDescriptor[] = Object.values(pages).flat();

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
