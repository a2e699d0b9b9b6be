import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-pharmacy',
  title: 'Pharmacy',
  pages: pages['mf-pharmacy'],
  redirects: redirects['mf-pharmacy'],
  slots: [{ slot: 'overview', order: 20, module: './src/overview/overview-slot.tsx' }],
});
