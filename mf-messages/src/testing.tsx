import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { arrive, prepareEnvironment, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { routesOfPages } from '@clinic/app-kit/test-pages';
import type { Role } from '@clinic/contracts';
import { render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import remote from '../remote.config.ts';

/** The signed-in person of the tests. */
const ann = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', emailVerified: true };

let open: TestClinic | undefined;

beforeAll(prepareEnvironment);
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/**
 * Opens one of the remote's screens against a test server.
 *
 * @param path - address with its query
 * @param answers - by method and path, as in TestClinic
 * @param role - of the person who is signed in; `undefined`: nobody is
 * @returns the clinic, and where the page is now
 */
export async function openPage(
  path: string,
  answers: TestClinic['answers'],
  role?: Role,
): Promise<{ readonly clinic: TestClinic; readonly address: () => string }> {
  const clinic = await startTestClinic(role && { ...ann, role });
  open = clinic;
  Object.assign(clinic.answers, answers);
  await arrive(clinic);
  const router = createMemoryRouter(
    [...routesOfPages(remote.screens, (file) => import(`../${file}`)), { path: '*', element: <p>Another page</p> }],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const address = (): string => router.state.location.pathname + router.state.location.search;
  return { clinic, address };
}

/** The addresses that were read, with their query. */
export const readFrom = ({ server }: TestClinic, path: string): string[] =>
  server.seen.filter(({ method, url }) => method === 'GET' && url.split('?')[0] === path).map(({ url }) => url);
