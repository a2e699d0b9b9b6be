import { defineRemote } from '@clinic/webpack-config/remote';

/** This remote's publication (`remote.json`), from which the shell builds its routes, guards and menus. */
export default defineRemote({
  name: 'mf-messages',
  title: 'Messages',
  pages: [
    {
      path: '/dash/messages',
      screen: './src/ledger/messages-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Messages',
      menu: [{ label: 'Messages', roles: ['admin'], order: 80, icon: 'mail', group: 'Clinic' }],
    },
    // Opened from the messages.
    {
      path: '/dash/messages/kinds',
      screen: './src/kinds/kinds-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Kinds and Templates',
      openedFrom: '/dash/messages',
    },
    {
      path: '/dash/messages/webhooks',
      screen: './src/webhooks/webhooks-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Webhooks',
      menu: [{ label: 'Webhooks', roles: ['admin'], order: 85, icon: 'arrow-right', group: 'Clinic' }],
    },
    {
      path: '/dash/messages/webhooks/:id',
      screen: './src/webhooks/deliveries-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Deliveries',
      openedFrom: '/dash/messages/webhooks',
    },
    // Opened from My Account.
    {
      path: '/dash/notifications',
      screen: './src/notifications/notifications-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'My Notifications',
      openedFrom: '/dash/account',
    },
    // Links in messages open these; anybody may follow one.
    {
      path: '/message-actions/:token',
      screen: './src/links/action-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Your appointment',
    },
    {
      path: '/unsubscribe/:token',
      screen: './src/links/unsubscribe-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Your messages',
    },
    {
      path: '/mailbox',
      screen: './src/mailbox/mailbox-page.tsx',
      layout: 'public',
      access: 'everyone',
      demo: true,
      title: 'Demo mailbox',
    },
  ],
  redirects: [],
  slots: [
    { slot: 'overview', order: 40, module: './src/overview/overview-slot.tsx' },
    { slot: 'account', order: 10, module: './src/account/account-slot.tsx' },
    { slot: 'appointment', order: 10, module: './src/about-record/appointment-slot.tsx' },
    { slot: 'order', order: 10, module: './src/about-record/order-slot.tsx' },
    { slot: 'medicine', order: 10, module: './src/back-in-stock/medicine-slot.tsx' },
  ],
});
