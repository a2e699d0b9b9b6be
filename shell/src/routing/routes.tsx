import { Outlet, type RouteObject } from '@clinic/app-kit';
import { galleryPage, type PageLayout, type RegisteredRemote } from '@clinic/contracts';
import { useSyncExternalStore } from 'react';
import { RemoteError } from '../federation/remote-error.ts';
import type { RegistryStore } from '../federation/registry.ts';
import { RequireUser } from '../guards/require-user.tsx';
import { DashLayout } from '../layouts/dash-layout.tsx';
import { PublicLayout } from '../layouts/public-layout.tsx';
import { RootLayout } from '../layouts/root-layout.tsx';
import { DashLanding } from '../pages/dash-landing.tsx';
import { ErrorPage } from '../pages/error-page.tsx';
import { PageFallback } from './page-fallback.tsx';
import { PageFrame } from './page-frame.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { RedirectTo } from './redirect-to.tsx';
import { RemoteBoundary } from './remote-boundary.tsx';
import type { Screens } from './screens.ts';

/** Route under which the pages of each layout hang; remotes that come later are added there. */
export const layoutRoutes: Readonly<Record<PageLayout, string>> = { public: 'layout:public', guarded: 'layout:guarded', dash: 'layout:dash' };

const layouts = Object.keys(layoutRoutes) as PageLayout[];

/**
 * The router's routes: frames, the shell's own pages, and the pages of all remotes the registry names.
 *
 * @param development - with what only developers need
 */
export function createRoutes(registry: RegistryStore, screens: Screens, development = false): RouteObject[] {
  const { remotes } = registry.get();
  const pagesOf = (layout: PageLayout): RouteObject[] => remotes.flatMap((remote) => groupOf(remote, layout, screens));
  return [
    {
      element: <><ProgressBar /><RootLayout /></>,
      hydrateFallbackElement: <PageFallback />,
      children: [
        {
          id: layoutRoutes.public,
          element: <PublicLayout />,
          children: [
            {
              errorElement: <ErrorPage />,
              hydrateFallbackElement: <PageFallback />,
              children: [
                { path: '/login', lazy: async () => ({ Component: (await import(/* webpackChunkName: "login" */ '../pages/login-page.tsx')).LoginPage }) },
                { path: '/register', lazy: async () => ({ Component: (await import(/* webpackChunkName: "register" */ '../pages/register-page.tsx')).RegisterPage }) },
              ],
            },
            ...pagesOf('public'),
            { id: layoutRoutes.guarded, element: <RequireUser />, children: pagesOf('guarded') },
            ...remotes.flatMap(redirectsOf),
            { path: '*', errorElement: <RemoteBoundary />, loader: () => refuse(registry), element: null },
          ],
        },
        {
          id: layoutRoutes.dash,
          element: <Dash registry={registry} />,
          children: [{ path: '/dash', element: <DashLanding /> }, ...pagesOf('dash')],
        },
        ...(development ? [gallery] : []),
      ],
    },
  ];
}

/** All components of the design system on one page, a chunk of its own. */
const gallery: RouteObject = {
  path: galleryPage,
  errorElement: <ErrorPage />,
  hydrateFallbackElement: <PageFallback />,
  lazy: async () => ({ Component: (await import(/* webpackChunkName: "gallery" */ '@clinic/ui/gallery')).default }),
};

/** A remote's pages of one layout under one boundary, so that its failure leaves the frame and all other pages alone. */
export function groupOf(remote: RegisteredRemote, layout: PageLayout, screens: Screens): RouteObject[] {
  const pages = remote.pages.filter((page) => page.layout === layout);
  if (pages.length === 0) return [];
  return [
    {
      id: `remote:${remote.name}:${layout}`,
      // Its stylesheet holds under this attribute only.
      element: <div data-mf={remote.name} className="contents"><Outlet /></div>,
      errorElement: <RemoteBoundary />,
      children: pages.map((page) => ({
        path: page.path,
        // Not `lazy`: the router would keep a failure for ever.
        loader: () => screens.load(remote.name, page.path).then(() => null),
        shouldRevalidate: () => screens.get(page.path) === undefined,
        hydrateFallbackElement: <PageFallback />,
        element: <PageFrame page={page} screens={screens} />,
      })),
    },
  ];
}

export function redirectsOf({ redirects }: RegisteredRemote): RouteObject[] {
  return redirects.map(({ from, to }) => ({ path: from, element: <RedirectTo to={to} /> }));
}

/** All that has to be added for a remote that was not known when the routes were made. */
export function addRemote(remote: RegisteredRemote, screens: Screens, patch: (routeId: string | null, children: RouteObject[]) => void): void {
  for (const layout of layouts) patch(layoutRoutes[layout], groupOf(remote, layout, screens));
  patch(layoutRoutes.public, redirectsOf(remote));
}

/** An address that nobody offers; it may be a page of a remote that has not said yet what it offers. */
function refuse(registry: RegistryStore): never {
  const [away] = registry.get().away;
  if (away !== undefined) throw new RemoteError({ name: away, title: 'This page' }, 'away');
  throw new Response(null, { status: 404, statusText: 'Not Found' });
}

function Dash({ registry }: { readonly registry: RegistryStore }) {
  const { remotes } = useSyncExternalStore(registry.subscribe, registry.get);
  return <DashLayout pages={remotes.flatMap(({ pages }) => pages)} />;
}
