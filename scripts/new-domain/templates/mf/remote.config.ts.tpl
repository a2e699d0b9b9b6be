import { defineRemote } from '@clinic/webpack-config/remote';

/** This remote's publication (`remote.json`), from which the shell builds its routes, guards and menus. */
export default defineRemote({
  name: 'mf-{{name}}',
  title: '{{title}}',
  pages: [
    {
      path: '/dash/{{name}}', layout: 'dash', access: [{{roles}}], title: '{{title}}',
      menu: [{ label: '{{title}}', roles: [{{roles}}], order: 80, icon: 'clipboard' }],
    },
  ],
  screens: { '/dash/{{name}}': './src/entries/entries-page.tsx' },
  redirects: [],
});
