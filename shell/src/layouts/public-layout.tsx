import { Outlet } from '@clinic/app-kit';
import type { ReactNode } from 'react';
import { PageMain } from './page-main.tsx';
import { SiteFooter } from './site-footer.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame of the public pages and of those that only need a login: top bar, page, footer. */
export function PublicLayout({ children = <Outlet /> }: { readonly children?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      {/* As high as the window, so that the footer doesn't jump when the page arrives. */}
      <PageMain className="min-h-[calc(100dvh-4.5rem)] flex-1">{children}</PageMain>
      <SiteFooter />
    </div>
  );
}
