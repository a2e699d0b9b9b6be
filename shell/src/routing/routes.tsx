import type { RouteObject } from '@clinic/app-kit';
import type { PageLayout, RegisteredRemote, Registry } from '@clinic/contracts';
import { RequireUser } from '../guards/require-user.tsx';
import { DashFrame, dashFrameIsHere, DashStart, loadDashFrame } from '../layouts/dash-frame.tsx';
import { PublicLayout } from '../layouts/public-layout.tsx';
import { RootLayout } from '../layouts/root-layout.tsx';
import { gallery, ownPages } from './own-pages.tsx';
import { PageFrame } from './page-frame.tsx';
import type { PageHandle } from './page-handle.ts';
import { PageSlot } from './page-slot.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { RedirectTo } from './redirect-to.tsx';
import type { Screens } from './screens.ts';

/** Path of the route that matches every unknown address. */
export const unknownAddress = '*';

/**
 * The router's routes: frames, the shell's own pages, and the pages of all registered remotes.
 *
 * @param development - includes what only developers need
 */
export function createRoutes(registry: Registry, screens: Screens, development: boolean): RouteObject[] {
  const { remotes } = registry;
  const pagesOf = (layout: PageLayout): RouteObject[] => remotes.flatMap((remote) => routesOf(remote, layout, screens));
  return [
    {
      element: (
        <>
          <ProgressBar />
          <RootLayout />
        </>
      ),
      children: [
        {
          element: <PublicLayout registry={registry} />,
          children: [
            ...ownPages,
            ...pagesOf('public'),
            { element: <RequireUser />, children: pagesOf('guarded') },
            ...remotes.flatMap(({ redirects }) =>
              redirects.map(({ from, to }) => ({ path: from, element: <RedirectTo to={to} /> })),
            ),
            { path: unknownAddress, element: <PageSlot>{null}</PageSlot> },
          ],
        },
        {
          element: <DashFrame pages={remotes.flatMap(({ pages }) => pages)} />,
          children: [
            {
              path: '/dash',
              handle: { isHere: dashFrameIsHere, load: loadDashFrame } satisfies PageHandle,
              element: (
                <PageSlot>
                  <DashStart />
                </PageSlot>
              ),
            },
            ...pagesOf('dash'),
          ],
        },
        ...(development ? [gallery] : []),
      ],
    },
  ];
}

/** A remote's pages of one layout, each in its own error boundary, so that a failure affects neither the frame nor other pages. */
function routesOf(remote: RegisteredRemote, layout: PageLayout, screens: Screens): RouteObject[] {
  return remote.pages
    .filter((page) => page.layout === layout)
    .map((page) => ({
      path: page.path,
      handle: {
        isHere: () => screens.get(page.path) !== undefined && (layout !== 'dash' || dashFrameIsHere()),
        load: async () => {
          await Promise.all([screens.load(remote.name, page.path), layout === 'dash' && loadDashFrame()]);
        },
        remote,
      } satisfies PageHandle,
      element: (
        <PageSlot owner={remote} page={page.path} renew={() => screens.renew(remote.name, page.path)}>
          {/* The remote's stylesheet only applies below this attribute. */}
          <div key={page.path} data-mf={remote.name} className="contents">
            <PageFrame page={page} screens={screens} />
          </div>
        </PageSlot>
      ),
    }));
}
