import { brand, type PageDescriptor } from '@clinic/contracts';
import { useLayoutEffect } from 'react';
import { RequireAccess } from '../guards/require-access.tsx';
import type { Screens } from './screens.ts';

interface PageFrameProps {
  readonly page: PageDescriptor;
  readonly screens: Screens;
}

/** A remote's page: title, guard, and the remote's screen. */
export function PageFrame({ page, screens }: PageFrameProps) {
  // Before the effects of the screen, which may set a better title.
  useLayoutEffect(() => {
    document.title = `${page.title} · ${brand.brandName}`;
  }, [page.title]);
  const screen = screens.get(page.path);
  // Pages are only shown once loaded.
  if (!screen) throw new Error(`${page.path} has no screen`);
  return <RequireAccess page={page}>{screen}</RequireAccess>;
}
