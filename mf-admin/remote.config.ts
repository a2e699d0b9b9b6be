import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-admin',
  title: 'Administration',
  pages: pages['mf-admin'],
  screens: {
    '/dash/admin': './src/users/users-page.tsx',
    '/dash/doctors': './src/doctors/doctors-page.tsx',
    '/dash/pharmacists': './src/pharmacists/pharmacists-page.tsx',
    '/dash/createProfile': './src/profiles/create-profile-page.tsx',
    '/dash/staff': './src/staff/invitations-page.tsx',
    '/dash/staff/add': './src/staff/add-staff-page.tsx',
    '/dash/account': './src/account/account-page.tsx',
    '/dash/history': './src/history/history-page.tsx',
    '/dash/overview': './src/overview/overview-page.tsx',
    '/dash/deployments': './src/deployments/deployments-page.tsx',
  },
  redirects: redirects['mf-admin'],
  slots: [{ slot: 'overview', order: 30, module: './src/overview/overview-slot.tsx' }],
});
