import { defineRemote } from '@clinic/webpack-config/remote';

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
      menu: [{ label: 'Messages', roles: ['admin'], order: 80, icon: 'clipboard' }],
    },
  ],
  screens: { '/dash/messages': './src/entries/entries-page.tsx' },
  redirects: [],
});
