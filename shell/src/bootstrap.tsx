import {
  createBrowserHistory,
  followLive,
  leaveQuestion,
  QueryClientProvider,
  queryClient,
  readConfig,
  session,
} from '@clinic/app-kit/host';
import { loadLaterIcons } from '@clinic/ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterLoading } from './after-loading.ts';
import { knowOwnFiles } from './federation/integrity.ts';
import { pollForUpdates } from './federation/poll-for-updates.ts';
import { createRegistryStore, registryOfPage } from './federation/registry.ts';
import { createRemoteLoader } from './federation/remote-loader.ts';
import { tellOfRenewal } from './federation/renew.ts';
import { reportUncaught } from './federation/report-error.ts';
import { AppRouter } from './routing/app-router.tsx';
import { createNavigation } from './routing/navigation.ts';
import { createPages } from './routing/pages.ts';
import { prefetchOnIntent } from './routing/prefetch.ts';
import { createScreens } from './routing/screens.ts';
import { createScrollMemory } from './routing/scroll-memory.ts';

const loadHost = () => import(/* webpackChunkName: "mf-host" */ './federation/host.ts');

/** Renders the application into the page. */
export function start(): void {
  // A page that arrived as HTML is shown until the application can take its place (src/start).
  const container = globalThis.clinicRoot ?? document.getElementById('root');
  if (globalThis.clinicRoot) void loadLaterIcons();
  reportUncaught();
  knowOwnFiles();
  tellOfRenewal();
  void session.load();
  followLive();
  const registry = createRegistryStore(registryOfPage());
  void boot(registry).then((Application) =>
    createRoot(container as HTMLElement).render(
      <StrictMode>
        <Application />
      </StrictMode>,
    ),
  );
}

async function boot(registry: ReturnType<typeof createRegistryStore>) {
  if (readConfig().remoteOverrides) {
    const { applyOverrides } = await import(/* webpackChunkName: "overrides" */ './federation/overrides.ts');
    await applyOverrides(registry);
  } else if (registry.get().remotes.length === 0) {
    await registry.refresh().catch((error: unknown) => console.warn('The registry could not be read', error));
  }
  const loadRemote = createRemoteLoader({ registry, loadHost });
  pollForUpdates(registry.refresh);
  const screens = createScreens(registry, loadRemote, async (slot) => {
    const { createSlot } = await import(/* webpackChunkName: "slot" */ './slots/create-slot.tsx');
    return createSlot(slot, { registry, loadRemote });
  });
  const pages = createPages(registry, screens, readConfig().development);
  const scroll = createScrollMemory();
  const navigation = createNavigation({
    history: createBrowserHistory(),
    prepare: pages.prepare,
    question: leaveQuestion,
    onLeave: scroll.leave,
  });
  prefetchOnIntent(pages);
  afterLoading(async () => {
    const { startLater } = await import(/* webpackChunkName: "later" */ './later.ts');
    startLater(document.body, [registry, loadRemote], [pages, navigation.subscribe]);
  });
  return function Application() {
    return (
      <QueryClientProvider client={queryClient}>
        <AppRouter navigation={navigation} pages={pages} registry={registry} scroll={scroll} loadRemote={loadRemote} />
      </QueryClientProvider>
    );
  };
}
