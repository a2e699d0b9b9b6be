import type { PageModule, RemoteModule, RouteObject } from '@clinic/app-kit';
import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { contractVersion, type Registry } from '@clinic/contracts';
import { act, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { UNSAFE_createMemoryHistory as createMemoryHistory } from 'react-router-dom';
import { createRegistryStore } from '../federation/registry.ts';
import { RemoteError } from '../federation/remote-error.ts';
import type { Exposed, RemoteLoader } from '../federation/remote-loader.ts';
import { remoteNamed } from '../testing/remotes.ts';
import { AppRouter } from './app-router.tsx';
import { createNavigation } from './navigation.ts';
import { createPages } from './pages.ts';
import { createScreens } from './screens.ts';
import { createScrollMemory } from './scroll-memory.ts';

const remote = remoteNamed('mf-garden', {
  title: 'Garden',
  pages: [
    { path: '/garden', layout: 'public', access: 'everyone', title: 'Our Garden' },
    { path: '/garden/:_id', layout: 'public', access: 'everyone', title: 'A Bed' },
    { path: '/dash/garden', layout: 'dash', access: ['admin'], title: 'Gardeners' },
  ],
  redirects: [{ from: '/gardn/:_id', to: '/garden/:_id' }],
});

function Garden() {
  return <h1>Roses</h1>;
}

const remoteOf = (module: RemoteModule): RemoteLoader =>
  Object.assign(async <Module extends Exposed>() => module as unknown as Module, {
    versionOf: () => remote.version,
    forget: () => undefined,
  });
const noSlot = async () => () => null;

interface World {
  readonly registry?: Registry;
  /** What the gateway answers to the next registry request. */
  readonly news?: Registry;
  readonly routes?: () => RouteObject[];
  /** Asked before a page is left. */
  readonly question?: () => (() => Promise<boolean>) | undefined;
}

function show(
  path: string,
  {
    registry = { remotes: [remote], away: [] },
    news = registry,
    routes = () => [
      { path: '/garden', Component: Garden },
      { path: '/garden/:_id', element: <h1>A bed</h1> },
    ],
    question,
  }: World = {},
) {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(news));
  const store = createRegistryStore(registry);
  const loadRemote = remoteOf({ contractVersion, createRoutes: routes });
  const screens = createScreens(store, loadRemote, noSlot);
  const pages = createPages(store, screens);
  const history = createMemoryHistory({ initialEntries: [path] });
  const scroll = createScrollMemory();
  const navigation = createNavigation({ history, prepare: pages.prepare, question, onLeave: scroll.leave });
  render(
    <QueryClientProvider client={queryClient}>
      <AppRouter navigation={navigation} pages={pages} registry={store} scroll={scroll} loadRemote={loadRemote} />
    </QueryClientProvider>,
  );
  return navigation;
}

/** Shows the garden; its beds load when `load` is called. */
async function showBesideSlowPage() {
  const gate = Promise.withResolvers<{ Component: () => ReactElement }>();
  const navigation = show('/garden', {
    routes: () => [
      { path: '/garden', Component: Garden },
      { path: '/garden/:_id', lazy: () => gate.promise },
    ],
  });
  await screen.findByRole('heading', { name: 'Roses' });
  return { navigation, load: () => gate.resolve({ Component: () => <h1>A bed</h1> }) };
}

describe('routing', () => {
  // A time limit for busy machines.
  beforeAll(() => configure({ asyncUtilTimeout: 60_000 }));
  beforeEach(() => {
    jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('shows a remote’s page in its frame, with its title, where its styles apply', async () => {
    show('/garden');
    const heading = await screen.findByRole('heading', { name: 'Roses' });
    expect(heading.closest('[data-mf]')?.getAttribute('data-mf')).toBe('mf-garden');
    expect(screen.getByRole('main').contains(heading)).toBe(true);
    expect(document.title).toMatch(/^Our Garden · /);
  });

  it('loads only the module of the page if the remote exposes each, and passes it its context', async () => {
    const exposing = { ...remote, pages: remote.pages.map((page) => ({ ...page, expose: `.${page.path}` })) };
    const requests: unknown[] = [];
    const store = createRegistryStore({ remotes: [exposing], away: [] });
    const page: PageModule = {
      contractVersion,
      createPage: ({ name, baseUrl }) => {
        requests.push([name, baseUrl]);
        return Garden;
      },
    };
    const load = async <Module extends Exposed>(...wanted: unknown[]) => {
      requests.push(wanted);
      return page as unknown as Module;
    };
    const loader: RemoteLoader = Object.assign(load, { versionOf: () => remote.version, forget: () => undefined });
    const screens = createScreens(store, loader, noSlot);
    await screens.load('mf-garden', '/garden');
    expect(screens.get('/garden')?.type).toBe(Garden);
    expect(requests).toEqual([
      ['mf-garden', './garden'],
      ['mf-garden', '/mf/mf-garden/'],
    ]);
  });

  it('redirects a misspelt address to the page, with its parameters', async () => {
    const navigation = show('/gardn/7?from=mail');
    expect(await screen.findByRole('heading', { name: 'A bed' })).toBeTruthy();
    expect(navigation.get().location).toMatchObject({ pathname: '/garden/7', search: '?from=mail' });
  });

  it('shows a panel in place of an unavailable remote, and recovers without a reload', async () => {
    let up = false;
    show('/garden', {
      routes: () => {
        if (!up) throw new Error('404');
        return [{ path: '/garden', lazy: async () => ({ Component: Garden }) }];
      },
    });
    expect(await screen.findByRole('heading', { name: 'Garden can’t be loaded right now' })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
    up = true;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Roses' })).toBeTruthy();
  });

  it('doesn’t cache the failure of a screen’s own files', async () => {
    let tries = 0;
    const lazy = async () => {
      tries += 1;
      if (tries === 1) throw new Error('ChunkLoadError');
      return { Component: Garden };
    };
    show('/garden', { routes: () => [{ path: '/garden', lazy }] });
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Roses' })).toBeTruthy();
  });

  it('shows the error screen if a remote’s screen breaks, and leaves the frame alone', async () => {
    const Broken = () => {
      throw new Error('the roses withered');
    };
    show('/garden', { routes: () => [{ path: '/garden', Component: Broken }] });
    expect(await screen.findByRole('heading', { name: 'Oops!' })).toBeTruthy();
    expect(screen.getByText(/^Garden\. Reference: [0-9a-f]{32}$/)).toBeTruthy();
    // The message could quote anything.
    expect(screen.queryByText(/withered/)).toBeNull();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  });

  it('shows a broken screen again once it is fixed', async () => {
    let mended = false;
    const Fragile = () => {
      if (!mended) throw new Error('the roses withered');
      return <Garden />;
    };
    show('/garden', { routes: () => [{ path: '/garden', Component: Fragile }] });
    const again = await screen.findByRole('button', { name: 'Try again' });
    mended = true;
    await userEvent.click(again);
    expect(await screen.findByRole('heading', { name: 'Roses' })).toBeTruthy();
  });

  it('keeps the page until the next one is loaded, then shows the last one requested', async () => {
    const { navigation, load } = await showBesideSlowPage();
    act(() => navigation.navigator.push('/garden/7'));
    expect(navigation.get().loading).toBe(true);
    expect(screen.getByRole('heading', { name: 'Roses' })).toBeTruthy();
    act(() => navigation.navigator.push('/garden?q=red'));
    await act(async () => load());
    expect(screen.getByRole('heading', { name: 'Roses' })).toBeTruthy();
    expect(navigation.get()).toMatchObject({ loading: false, location: { pathname: '/garden', search: '?q=red' } });
  });

  it('goes where it was asked to, whatever search the page it leaves still writes into its address', async () => {
    const { navigation, load } = await showBesideSlowPage();
    const { navigator } = navigation;
    const search = (q: string) =>
      act(() => navigator.replace(`/garden?q=${q}`, undefined, { preventScrollReset: true }));
    act(() => navigator.push('/garden/7'));
    search('red');
    expect(navigation.get()).toMatchObject({ loading: true, location: { pathname: '/garden', search: '?q=red' } });
    await act(async () => load());
    expect(screen.getByRole('heading', { name: 'A bed' })).toBeTruthy();
    search('white');
    expect(navigation.get()).toMatchObject({ loading: false, location: { pathname: '/garden/7', search: '' } });
    act(() => navigator.go(-1));
    expect(await screen.findByRole('heading', { name: 'Roses' })).toBeTruthy();
    expect(navigation.get().location.search).toBe('?q=red');
  });

  it('finds a remote that was added after the page was opened', async () => {
    show('/garden', { registry: { remotes: [], away: [] }, news: { remotes: [remote], away: [] } });
    expect(await screen.findByRole('heading', { name: 'Roses' })).toBeTruthy();
  });

  it('says that an address is unknown, and that it may come back if a remote is unavailable', async () => {
    show('/nowhere');
    expect(await screen.findByText('Not Found')).toBeTruthy();
    show('/nowhere', { registry: { remotes: [], away: ['mf-garden'] } });
    expect(await screen.findByRole('heading', { name: 'This page can’t be loaded right now' })).toBeTruthy();
  });

  it('treats a remote that lacks an announced page as unavailable', async () => {
    const store = createRegistryStore({ remotes: [remote], away: [] });
    const screens = createScreens(store, remoteOf({ contractVersion, createRoutes: () => [] }), noSlot);
    await expect(screens.load('mf-garden', '/garden')).rejects.toBeInstanceOf(RemoteError);
    await waitFor(() => expect(screens.get('/garden')).toBeUndefined());
  });

  it('asks before a page is left by a link or Back, and stays or goes as the visitor says', async () => {
    let unsaved = false;
    const answers: ((leave: boolean) => void)[] = [];
    const navigation = show('/garden', {
      question: () => (unsaved ? () => new Promise((resolve) => answers.push(resolve)) : undefined),
    });
    await screen.findByRole('heading', { name: 'Roses' });
    const { navigator } = navigation;
    const path = () => navigation.get().location.pathname;
    act(() => navigator.push('/garden/7'));
    expect(await screen.findByRole('heading', { name: 'A bed' })).toBeTruthy();
    unsaved = true;
    const asked = async (leave: () => void, answer: boolean): Promise<void> => {
      act(leave);
      await waitFor(() => expect(answers).toHaveLength(1));
      expect(path()).toBe('/garden/7');
      await act(async () => answers.pop()?.(answer));
    };
    await asked(() => navigator.push('/garden'), false);
    await asked(() => navigator.go(-1), false);
    expect(path()).toBe('/garden/7');
    expect(screen.getByRole('heading', { name: 'A bed' })).toBeTruthy();
    // Going to a fragment of the same page loses nothing, so it asks nothing.
    act(() => navigator.push('/garden/7#soil'));
    expect(navigation.get().location.hash).toBe('#soil');
    // Nor does a search that stays on the page; another address does.
    act(() => navigator.replace('/garden/7?q=rose', undefined, { preventScrollReset: true }));
    expect(navigation.get().location.search).toBe('?q=rose');
    await asked(() => navigator.replace('/garden/7?q=tulip'), false);
    expect(navigation.get().location.search).toBe('?q=rose');
    await asked(() => navigator.go(-2), true);
    await waitFor(() => expect(path()).toBe('/garden'));
    act(() => navigator.go(1));
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(path()).toBe('/garden');
    unsaved = false;
    await act(async () => answers.pop()?.(true));
    await waitFor(() => expect(path()).toBe('/garden/7'));
  });
});
