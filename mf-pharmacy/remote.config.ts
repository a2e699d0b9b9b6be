import { brand, brandFacts } from '@clinic/contracts/brand';
import { defineRemote } from '@clinic/webpack-config/remote';

const staff = ['pharmacist', 'admin'] as const;

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-pharmacy',
  title: 'Pharmacy',
  pages: [
    {
      path: '/medicinestore',
      html: 'rendered',
      screen: './src/store/store-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Pharmacy',
      topBar: { label: 'Pharmacy', order: 20 },
      menu: [{ label: 'Pharmacy', roles: ['patient'], order: 40, icon: 'pill', group: 'My own' }],
      description:
        'Order medicines online from the clinic’s own pharmacy: search by name, see prices and what is in stock, and have it delivered to your door.',
      facts: [
        {
          '@type': 'Pharmacy',
          name: `${brand.brandName} Pharmacy`,
          url: '/medicinestore',
          telephone: brand.phone,
          address: { '@type': 'PostalAddress', ...brandFacts.address },
          parentOrganization: { '@id': '/#clinic' },
        },
      ],
    },
    {
      path: '/dash/orders',
      screen: './src/orders/orders-page.tsx',
      layout: 'dash',
      access: staff,
      title: 'Orders',
      menu: [
        { label: 'Orders', roles: ['admin'], order: 50, icon: 'package', group: 'Pharmacy' },
        { label: 'Orders', roles: ['pharmacist'], order: 10, icon: 'package', group: 'Pharmacy' },
      ],
    },
    {
      path: '/dash/addmedicine',
      screen: './src/inventory/add-medicine-page.tsx',
      layout: 'dash',
      access: staff,
      rights: ['stock'],
      title: 'Add New Medicine',
      openedFrom: '/dash/medicine',
      menu: [
        { label: 'Add Medicine', roles: ['pharmacist'], rights: ['stock'], order: 20, icon: 'plus', group: 'Pharmacy' },
      ],
    },
    {
      path: '/dash/medicine',
      screen: './src/inventory/inventory-page.tsx',
      layout: 'dash',
      access: staff,
      rights: ['stock'],
      title: 'Medicine Inventory',
      menu: [
        { label: 'All Medicine', roles: ['pharmacist'], rights: ['stock'], order: 30, icon: 'pill', group: 'Pharmacy' },
        { label: 'All Medicine', roles: ['admin'], order: 55, icon: 'pill', group: 'Pharmacy' },
      ],
    },
    {
      path: '/dash/myorders',
      screen: './src/orders/my-orders-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'My Orders',
      openedFrom: { pharmacist: '/dash/orders', admin: '/dash/orders' },
      menu: [{ label: 'Orders', roles: ['patient'], order: 20, icon: 'package', group: 'My own' }],
    },
  ],
  redirects: [
    { from: '/medicineStore', to: '/medicinestore' },
    { from: '/pharmacy', to: '/medicinestore' },
  ],
  slots: [
    { slot: 'overview', order: 20, module: './src/overview/overview-slot.tsx' },
    { slot: 'search', order: 20, module: './src/search/search-slot.tsx' },
  ],
});
