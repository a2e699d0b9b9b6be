import type { RouteObject } from '@clinic/app-kit';
import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { contractVersion, type RegisteredRemote, type Registry } from '@clinic/contracts';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { createRegistryStore } from '../federation/registry.ts';
import { RemoteError } from '../federation/remote-error.ts';
import { createRoutes } from './routes.tsx';
import { createScreens } from './screens.ts';

const remote: RegisteredRemote = {
  name: 'mf-garden', container: 'mf_garden', version: '1.0.0', contractVersion, title: 'Garden', baseUrl: '/mf/mf-garden/',
  pages: [
    { path: '/garden', layout: 'public', access: 'everyone', title: 'Our Garden' },
    { path: '/garden/:_id', layout: 'public', access: 'everyone', title: 'A Bed' },
    { path: '/dash/garden', layout: 'dash', access: ['admin'], title: 'Gardeners' },
  ],
  redirects: [{ from: '/gardn/:_id', to: '/garden/:_id' }],
  preload: ['entry.js'], styles: [],
};

function Garden() {
  return <h1>Roses</h1>;
}

interface World {
  readonly registry?: Registry;
  readonly routes?: () => RouteObject[];
}

function show(path: string, { registry = { remotes: [remote], away: [] }, routes = () => [{ path: '/garden', Component: Garden }, { path: '/garden/:_id', element: <h1>A bed</h1> }] }: World = {}) {
  const store = createRegistryStore(registry);
  const screens = createScreens(store, async () => ({ contractVersion, createRoutes: routes }));
  const router = createMemoryRouter(createRoutes(store, screens), { initialEntries: [path] });
  render(<QueryClientProvider client={queryClient}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

describe('routing', () => {
  beforeEach(() => {
    jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('shows a remote’s page in its frame, under its title, where its styles hold', async () => {
    show('/garden');
    const heading = await screen.findByRole('heading', { name: 'Roses' });
    expect(heading.closest('[data-mf]')?.getAttribute('data-mf')).toBe('mf-garden');
    expect(screen.getByRole('main').contains(heading)).toBe(true);
    expect(document.title).toMatch(/^Our Garden · /);
  });

  it('leads a misspelt address to the page, with its parameters', async () => {
    const router = show('/gardn/7?from=mail');
    expect(await screen.findByRole('heading', { name: 'A bed' })).toBeTruthy();
    expect(router.state.location).toMatchObject({ pathname: '/garden/7', search: '?from=mail' });
  });

  it('puts a panel in the place of a remote that is away, and comes back from it without a reload', async () => {
    let up = false;
    show('/garden', {
      routes: () => {
        if (!up) throw new Error('404');
        return [{ path: '/garden', lazy: async () => ({ Component: Garden }) }];
      },
    });
    expect(await screen.findByRole('heading', { name: 'Garden is not available right now' })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
    up = true;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Roses' })).toBeTruthy();
  });

  it('does not keep the failure of a screen’s own files', async () => {
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

  it('shows the error screen where a remote’s screen breaks, and leaves the frame alone', async () => {
    const Broken = () => {
      throw new Error('the roses withered');
    };
    show('/garden', { routes: () => [{ path: '/garden', Component: Broken }] });
    expect(await screen.findByRole('heading', { name: 'Oops!' })).toBeTruthy();
    expect(screen.getByText('the roses withered')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  });

  it('says so when nobody offers an address, and that it may come when a remote is away', async () => {
    show('/nowhere');
    expect(await screen.findByText('Not Found')).toBeTruthy();
    show('/nowhere', { registry: { remotes: [], away: ['mf-garden'] } });
    expect(await screen.findByRole('heading', { name: 'This page is not available right now' })).toBeTruthy();
  });

  it('knows a remote that lacks a page it has announced as away', async () => {
    const store = createRegistryStore({ remotes: [remote], away: [] });
    const screens = createScreens(store, async () => ({ contractVersion, createRoutes: () => [] }));
    await expect(screens.load('mf-garden', '/garden')).rejects.toBeInstanceOf(RemoteError);
    await waitFor(() => expect(screens.get('/garden')).toBeUndefined());
  });
});
