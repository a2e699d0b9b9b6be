import type { PageDescriptor } from '@clinic/contracts';
import { defineRemote } from '@clinic/webpack-config/remote';

/** Pages that links in messages open; anybody may follow one. */
const linkPages: readonly PageDescriptor[] = [
  { path: '/message-actions/:token', layout: 'public', access: 'everyone', title: 'Your appointment' },
  { path: '/unsubscribe/:token', layout: 'public', access: 'everyone', title: 'Your messages' },
  { path: '/mailbox', layout: 'public', access: 'everyone', demo: true, title: 'Demo mailbox' },
];

/** This remote's publication (`remote.json`), from which the shell builds its routes, guards and menus. */
export default defineRemote({
  name: 'mf-messages',
  title: 'Messages',
  pages: [
    {
      path: '/dash/messages',
      layout: 'dash',
      access: ['admin'],
      title: 'Messages',
      menu: [{ label: 'Messages', roles: ['admin'], order: 80, icon: 'mail' }],
    },
    // Opened from the messages.
    {
      path: '/dash/messages/kinds',
      layout: 'dash',
      access: ['admin'],
      title: 'Kinds and Templates',
      openedFrom: '/dash/messages',
    },
    {
      path: '/dash/messages/webhooks',
      layout: 'dash',
      access: ['admin'],
      title: 'Webhooks',
      openedFrom: '/dash/messages',
    },
    {
      path: '/dash/messages/webhooks/:id',
      layout: 'dash',
      access: ['admin'],
      title: 'Deliveries',
      openedFrom: '/dash/messages/webhooks',
    },
    // Opened from My Account; the menus of patients, doctors and pharmacists are fixed.
    {
      path: '/dash/notifications',
      layout: 'dash',
      access: 'signedIn',
      title: 'My Notifications',
      openedFrom: '/dash/account',
    },
    ...linkPages,
  ],
  screens: {
    '/dash/messages': './src/ledger/messages-page.tsx',
    '/dash/messages/kinds': './src/kinds/kinds-page.tsx',
    '/dash/messages/webhooks': './src/webhooks/webhooks-page.tsx',
    '/dash/messages/webhooks/:id': './src/webhooks/deliveries-page.tsx',
    '/dash/notifications': './src/notifications/notifications-page.tsx',
    '/message-actions/:token': './src/links/action-page.tsx',
    '/unsubscribe/:token': './src/links/unsubscribe-page.tsx',
    '/mailbox': './src/mailbox/mailbox-page.tsx',
  },
  redirects: [],
  slots: [
    { slot: 'overview', order: 40, module: './src/overview/overview-slot.tsx' },
    { slot: 'account', order: 10, module: './src/account/account-slot.tsx' },
    { slot: 'appointment', order: 10, module: './src/about-record/appointment-slot.tsx' },
    { slot: 'order', order: 10, module: './src/about-record/order-slot.tsx' },
    { slot: 'medicine', order: 10, module: './src/back-in-stock/medicine-slot.tsx' },
  ],
});
