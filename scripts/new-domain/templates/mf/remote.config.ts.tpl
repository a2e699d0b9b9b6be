import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`); the shell's routes, guards and menus are made from it. */
export default defineRemote({
  name: 'mf-{{name}}',
  title: '{{title}}',
  pages: [
    {
      path: '/dash/{{name}}', layout: 'dash', access: [{{roles}}], title: '{{title}}',
      menu: [{ label: '{{title}}', roles: [{{roles}}], order: 80, icon: 'clipboard' }],
    },
  ],
  redirects: [],
});
