import { Outlet, useLocation } from '@clinic/app-kit';
import type { Registry } from '@clinic/contracts';
import { Notices } from '../account/notices.tsx';
import { PageMain } from './page-main.tsx';
import { SiteFooter } from './site-footer.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame of public pages and of those that only need a login: top bar, page, footer. */
export function PublicLayout({ registry }: { readonly registry: Registry }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar registry={registry} />
      {/* At least as high as the window, so that the footer doesn't jump when the page loads. */}
      <PageMain className="min-h-[calc(100dvh-4.5rem)] flex-1">
        <Welcome />
        <Outlet />
      </PageMain>
      <SiteFooter />
    </div>
  );
}

/** Next step for somebody who has just registered. */
function Welcome() {
  const { state } = useLocation();
  const registered = typeof state === 'object' && state !== null && 'registered' in state;
  return (
    registered && (
      <div className="mx-auto w-full max-w-page px-4 pt-6 sm:px-6">
        <Notices registered />
      </div>
    )
  );
}
