import { useSession } from '@clinic/app-kit';
import { forgetLeft, Router, useRoutes } from '@clinic/app-kit/host';
import {
  lazy,
  startTransition,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { RegistryStore } from '../federation/registry.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { ownShell } from '../federation/shell-version.ts';
import { ErrorPage } from '../pages/error-page.tsx';
import { Boundary } from './boundary.tsx';
import type { Navigation } from './navigation.ts';
import { NavigationContext } from './navigation-context.ts';
import type { Pages } from './pages.ts';
import type { ScrollMemory } from './scroll-memory.ts';

interface AppRouterProps {
  readonly navigation: Navigation;
  readonly pages: Pages;
  readonly registry: RegistryStore;
  readonly scroll: ScrollMemory;
  readonly loadRemote: RemoteLoader;
}

// Nobody on a first visit is signed in.
const EveryPage = lazy(async () => ({
  default: (await import(/* webpackChunkName: "every-page" */ '../slots/every-page.tsx')).EveryPage,
}));

/** Shows the page of the current address. */
export function AppRouter({ navigation, pages, registry, scroll, loadRemote }: AppRouterProps) {
  const [state, setState] = useState(navigation.get);
  useSyncExternalStore(registry.subscribe, registry.get);

  useLayoutEffect(() => {
    const follow = (): void => startTransition(() => setState(navigation.get()));
    follow();
    return navigation.subscribe(follow);
  }, [navigation]);
  useLayoutEffect(() => {
    if (state.ready) scroll.arrive(state);
  }, [scroll, state]);

  useEffect(() => {
    if (state.ready && !state.failure) forgetLeft();
  }, [state]);

  const view = useMemo(() => ({ ...state, retry: navigation.retry }), [navigation, state]);
  return (
    <NavigationContext value={view}>
      <Router location={state.location} navigationType={state.action} navigator={navigation.navigator}>
        <Boundary
          resetOn={state.location}
          fallback={(error, retry) => <ErrorPage error={error} part={ownShell().title} onRetry={retry} />}
        >
          <Screen pages={pages} />
        </Boundary>
        {state.ready && <Beside registry={registry} loadRemote={loadRemote} />}
      </Router>
    </NavigationContext>
  );
}

/** What signed-in people see on every page, once there is one. */
function Beside(props: Pick<AppRouterProps, 'registry' | 'loadRemote'>) {
  const { user } = useSession();
  if (!user) return null;
  return (
    <Boundary resetOn={user} fallback={() => null}>
      <Suspense>
        <EveryPage {...props} />
      </Suspense>
    </Boundary>
  );
}

function Screen({ pages }: Pick<AppRouterProps, 'pages'>) {
  return useRoutes(pages.routes());
}
