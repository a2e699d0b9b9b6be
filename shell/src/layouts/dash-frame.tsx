import { Outlet } from '@clinic/app-kit';
import { createStore } from '@clinic/app-kit/store';
import type { PageDescriptor } from '@clinic/contracts';
import { useSyncExternalStore, type ComponentType } from 'react';
import { shellTrouble } from '../federation/shell-version.ts';
import { RequireUser } from '../guards/require-user.tsx';

interface DashFrameProps {
  /** The pages of all registered remotes, for the menu. */
  readonly pages: readonly PageDescriptor[];
}

/** The layout once it has loaded. Visitors who aren't signed in don't need it. */
const layout = createStore<
  { readonly Layout: ComponentType<DashFrameProps>; readonly Landing: ComponentType } | undefined
>(undefined);

/** Whether the dashboard's frame has loaded. */
export function dashFrameIsHere(): boolean {
  return layout.get() !== undefined;
}

/**
 * Loads the dashboard's frame, once.
 *
 * @throws RemoteError if it can't be loaded; the next call tries again
 */
export async function loadDashFrame(): Promise<void> {
  if (dashFrameIsHere()) return;
  try {
    const { DashLanding, DashLayout } = await import(/* webpackChunkName: "dash" */ './dash-parts.ts');
    if (!dashFrameIsHere()) layout.set({ Layout: DashLayout, Landing: DashLanding });
  } catch (error) {
    throw await shellTrouble(error);
  }
}

/** The frame of dashboard pages, behind the login guard. It appears as soon as it has loaded, before the page in it. */
export function DashFrame(props: DashFrameProps) {
  const loaded = useSyncExternalStore(layout.subscribe, layout.get);
  return <RequireUser>{loaded ? <loaded.Layout {...props} /> : <Outlet />}</RequireUser>;
}

/** `/dash`: redirects each role to its first page. */
export function DashStart() {
  const loaded = useSyncExternalStore(layout.subscribe, layout.get);
  return loaded && <loaded.Landing />;
}
