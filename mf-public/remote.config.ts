import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-public',
  title: 'Public pages',
  pages: pages['mf-public'],
  screens: {
    '/': './src/home/home-page.tsx',
    '/about': './src/about/about-page.tsx',
    '/services': './src/services/services-page.tsx',
    '/ourDoctors': './src/doctors/doctor-directory-page.tsx',
  },
  redirects: redirects['mf-public'],
});
