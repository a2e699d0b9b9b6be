import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { routesOfPages } from '@clinic/app-kit/test-pages';
import { render, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import remote from '../../remote.config.ts';

/**
 * Renders one of the remote's screens, and waits until its code is loaded: otherwise the router would show the screen
 * while the test does something else, which React reports as an update outside act().
 *
 * @param path - address with its query
 * @param others - routes beside the remote's own
 */
export async function renderScreen(path: string, others: readonly RouteObject[] = []): Promise<void> {
  const router = createMemoryRouter([...routesOfPages(remote.screens, (file) => import(`../../${file}`)), ...others], {
    initialEntries: [path],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await waitFor(
    () => {
      if (!router.state.initialized) throw new Error(`${path} is still loading`);
    },
    // The first screen of a file is compiled.
    { timeout: 10_000 },
  );
}
