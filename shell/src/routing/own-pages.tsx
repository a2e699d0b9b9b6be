import type { RouteObject } from '@clinic/app-kit';
import { galleryPage } from '@clinic/contracts';
import type { ComponentType } from 'react';
import { PageSlot } from './page-slot.tsx';
import type { PageHandle } from './routes.tsx';

/** The shell's own pages, each a chunk of its own. */
export const ownPages: readonly RouteObject[] = [
  ownPage('/login', async () => (await import(/* webpackChunkName: "login" */ '../pages/login-page.tsx')).LoginPage),
  ownPage('/register', async () => (await import(/* webpackChunkName: "register" */ '../pages/register-page.tsx')).RegisterPage),
];

/** All components of the design system on one page. */
export const gallery = ownPage(galleryPage, async () => (await import(/* webpackChunkName: "gallery" */ '@clinic/ui/gallery')).default);

function ownPage(path: string, load: () => Promise<ComponentType>): RouteObject {
  let Page: ComponentType | undefined;
  const handle: PageHandle = {
    isHere: () => Page !== undefined,
    load: async () => {
      Page = await load();
    },
  };
  const OwnPage = () => Page && <Page />;
  return { path, handle, element: <PageSlot><OwnPage /></PageSlot> };
}
