import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-admin',
  title: 'Administration',
  pages: pages['mf-admin'],
  redirects: redirects['mf-admin'],
  slots: [{ slot: 'overview', order: 30, module: './src/overview/overview-slot.tsx' }],
});
