import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-admin',
  title: 'Administration',
  pages: [
    {
      path: '/dash/admin',
      screen: './src/users/users-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'All Users',
      menu: [{ label: 'All Users', roles: ['admin'], order: 10, icon: 'users', group: 'People' }],
    },
    {
      path: '/dash/doctors',
      screen: './src/doctors/doctors-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Doctors',
      menu: [{ label: 'Doctors', roles: ['admin'], order: 20, icon: 'stethoscope', group: 'Care' }],
    },
    {
      path: '/dash/pharmacists',
      screen: './src/pharmacists/pharmacists-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Pharmacists',
      menu: [{ label: 'Pharmacists', roles: ['admin'], order: 30, icon: 'user', group: 'People' }],
    },
    {
      path: '/dash/createProfile',
      screen: './src/profiles/create-profile-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Create Profile',
      openedFrom: '/dash/doctors',
    },
    {
      path: '/dash/staff',
      screen: './src/staff/invitations-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Invitations',
      menu: [{ label: 'Invitations', roles: ['admin'], order: 25, icon: 'mail', group: 'People' }],
    },
    {
      path: '/dash/staff/add',
      screen: './src/staff/add-staff-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Add Staff',
      openedFrom: '/dash/staff',
    },
    {
      path: '/dash/overview',
      screen: './src/overview/overview-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Overview',
      menu: [{ label: 'Overview', roles: ['admin'], order: 60, icon: 'activity', group: 'Clinic' }],
    },
    // Has its entry above the menu.
    {
      path: '/dash/search',
      screen: './src/search/search-page.tsx',
      layout: 'dash',
      access: ['admin', 'doctor', 'pharmacist'],
      rights: ['reception', 'stock'],
      title: 'Search',
    },
    // Has its entry below the menu, beside the person's name.
    {
      path: '/dash/account',
      screen: './src/account/account-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'My Account',
    },
    {
      path: '/dash/history',
      screen: './src/history/history-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'History',
      menu: [{ label: 'History', roles: ['admin'], order: 70, icon: 'clock', group: 'Clinic' }],
    },
    {
      path: '/dash/deployments',
      screen: './src/deployments/deployments-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Deployments',
      menu: [{ label: 'Deployments', roles: ['admin'], order: 90, icon: 'refresh', group: 'Clinic' }],
    },
  ],
  redirects: [],
  slots: [
    { slot: 'overview', order: 30, module: './src/overview/overview-slot.tsx' },
    { slot: 'search', order: 30, module: './src/search/search-slot.tsx' },
  ],
});
