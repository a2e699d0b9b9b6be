import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-pharmacy',
  title: 'Pharmacy',
  pages: pages['mf-pharmacy'],
  screens: {
    '/medicinestore': './src/store/store-page.tsx',
    '/dash/orders': './src/orders/orders-page.tsx',
    '/dash/addmedicine': './src/inventory/add-medicine-page.tsx',
    '/dash/medicine': './src/inventory/inventory-page.tsx',
    '/dash/myorders': './src/orders/my-orders-page.tsx',
  },
  redirects: redirects['mf-pharmacy'],
  slots: [{ slot: 'overview', order: 20, module: './src/overview/overview-slot.tsx' }],
});
