import type { RouteObject } from '@clinic/app-kit';
import { galleryPage } from '@clinic/contracts';
import type { ComponentType } from 'react';
import { shellTrouble } from '../federation/shell-version.ts';
import { PageSlot } from './page-slot.tsx';
import type { PageHandle } from './page-handle.ts';

/** The shell's own pages, each a chunk of its own. */
export const ownPages: readonly RouteObject[] = [
  ownPage('/login', async () => (await import(/* webpackChunkName: "login" */ '../pages/login-page.tsx')).LoginPage),
  ownPage(
    '/register',
    async () => (await import(/* webpackChunkName: "register" */ '../pages/register-page.tsx')).RegisterPage,
  ),
  ownPage(
    '/auth/action',
    async () =>
      (await import(/* webpackChunkName: "auth-action" */ '../pages/auth-action/auth-action-page.tsx')).AuthActionPage,
  ),
];

/** All components of the design system on one page. */
export const gallery = ownPage(
  galleryPage,
  async () => (await import(/* webpackChunkName: "gallery" */ '@clinic/ui/gallery/gallery')).default,
);

function ownPage(path: string, load: () => Promise<ComponentType>): RouteObject {
  let Page: ComponentType | undefined;
  const handle: PageHandle = {
    isHere: () => Page !== undefined,
    load: async () => {
      try {
        Page = await load();
      } catch (error) {
        throw await shellTrouble(error);
      }
    },
  };
  const OwnPage = () => Page && <Page />;
  return {
    path,
    handle,
    element: (
      <PageSlot page={path}>
        <OwnPage />
      </PageSlot>
    ),
  };
}
