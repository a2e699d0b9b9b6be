import { queryClient, useRoutes } from '@clinic/app-kit/host';
import { renderHtml } from '@clinic/app-kit/html-part';
import type { Registry } from '@clinic/contracts';
import { PublicLayout } from './layouts/public-layout.tsx';
import { RootLayout } from './layouts/root-layout.tsx';

/** One remote with one entry, which the gateway (page-frame.ts) repeats for all. */
const oneEntry: Registry = {
  remotes: [
    {
      name: '',
      container: '',
      version: '',
      contractVersion: 0,
      title: '',
      pages: [
        {
          path: '/__path__',
          layout: 'public',
          access: 'everyone',
          title: '',
          topBar: { label: '__label__', order: 0 },
        },
      ],
      redirects: [],
      integrity: {},
      preload: [],
      styles: [],
      baseUrl: '',
    },
  ],
  away: [],
};

/**
 * The frame of public pages as HTML, for visitors without a session (docs/decisions/0021). The gateway fills in what stands
 * between underscores: the menu's entries, the remote and its page.
 */
export function frame(): string {
  return renderHtml(<Frame />, { url: '/__frame__', client: queryClient, prefix: 'f' });
}

function Frame() {
  const page = (
    <div data-mf="__remote__" className="contents">
      __page__
    </div>
  );
  return useRoutes([
    {
      element: <RootLayout />,
      children: [{ element: <PublicLayout registry={oneEntry} />, children: [{ path: '*', element: page }] }],
    },
  ]);
}
