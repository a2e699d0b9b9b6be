import { brand, type PageDescriptor } from '@clinic/contracts';
import { useLayoutEffect } from 'react';
import { RequireAccess } from '../guards/require-access.tsx';
import type { Screens } from './screens.ts';

interface PageFrameProps {
  readonly page: PageDescriptor;
  readonly screens: Screens;
}

/** A remote's page: its title, the guard, and the screen the remote has brought. */
export function PageFrame({ page, screens }: PageFrameProps) {
  // Before the effects of the screen, which may know a better title.
  useLayoutEffect(() => {
    document.title = `${page.title} · ${brand.brandName}`;
  }, [page.title]);
  const screen = screens.get(page.path);
  // Pages are shown once they are loaded.
  if (!screen) throw new Error(`The screen of ${page.path} is missing`);
  return <RequireAccess page={page}>{screen}</RequireAccess>;
}
