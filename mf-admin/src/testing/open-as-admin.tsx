import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { routesOfPages } from '@clinic/app-kit/test-pages';
import { arrive, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import remote from '../../remote.config.ts';
import { admin } from './open-screen.tsx';

/**
 * Opens one of the remote's screens as an admin, against a test server.
 *
 * @param path - address with its query
 * @param answers - by method and path, as in TestClinic
 */
export async function openAsAdmin(path: string, answers: TestClinic['answers']): Promise<TestClinic> {
  const clinic = await startTestClinic({ ...admin, role: 'admin' });
  Object.assign(clinic.answers, answers);
  await arrive(clinic);
  const router = createMemoryRouter(
    [...routesOfPages(remote.screens, (file) => import(`../../${file}`)), { path: '*', element: <p>Elsewhere</p> }],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return clinic;
}
