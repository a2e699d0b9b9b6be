import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-clinic',
  title: 'Appointments',
  pages: pages['mf-clinic'],
  redirects: redirects['mf-clinic'],
  slots: [{ slot: 'overview', order: 10, module: './src/overview/overview-slot.tsx' }],
});
