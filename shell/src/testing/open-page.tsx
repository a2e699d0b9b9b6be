import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { arrive, type TestClinic } from '@clinic/app-kit/test-clinic';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { IdentityChecks } from '../identity-check/identity-checks.tsx';

/** Renders one page of the shell; other addresses only show their path. @param state - of its history entry */
export async function openPage(clinic: TestClinic, path: string, page: ReactNode, state?: unknown): Promise<void> {
  await arrive(clinic);
  const { pathname, search } = new URL(path, location.origin);
  const router = createMemoryRouter(
    [
      { path: pathname, element: page },
      { path: '*', Component: Elsewhere },
    ],
    { initialEntries: [{ pathname, search, state }] },
  );
  function Elsewhere() {
    const at = router.state.location;
    return <p>{`Now at ${at.pathname}${at.search}`}</p>;
  }
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <IdentityChecks />
    </QueryClientProvider>,
  );
}
