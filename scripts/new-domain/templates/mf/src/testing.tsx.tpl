import type { PageModule } from '@clinic/app-kit';
import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import type { Role } from '@clinic/contracts';
import { routesOfPages } from '@clinic/app-kit/test-pages';
import { configure, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import remote from '../remote.config.ts';

// Only so that a test ends: a machine may be busy.
configure({ asyncUtilTimeout: 60_000 });

/** A request that a page made. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** As in the address: 'limit=20&cursor=…'. */
  readonly query: string;
  readonly body: unknown;
}

/**
 * Stands in for the gateway: has a signed-in user, records every request to the domain, and sends the given responses.
 *
 * @param role - of that user
 */
export function serve(answer: (request: Sent) => Response, role: Role = {{firstRole}}): Sent[] {
  document.cookie = 'signed_in=1';
  const user = { email: 'ann@clinic.example', firstName: 'Ann', lastName: 'Lee', role, emailVerified: true };
  const sent: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    if (pathname.startsWith('/users/')) return Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '1990-01-01' });
    const request = { method: init?.method ?? 'GET', path: pathname, query: searchParams.toString(), body: init?.body ? ((await new Response(init.body).json()) as unknown) : undefined };
    sent.push(request);
    return answer(request);
  };
  return sent;
}

/** Renders a page of this remote as the shell does. */
export async function openPage(path: string): Promise<void> {
  queryClient.clear();
  await session.load();
  const load = (file: string): Promise<{ readonly default: PageModule }> => import(`../${file}`);
  // The first import compiles the page and what it uses, which may take longer than a test waits for a text.
  await Promise.all(Object.values(remote.screens).map(load));
  const routes = routesOfPages(remote.screens, load);
  render(<QueryClientProvider client={queryClient}><RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} /></QueryClientProvider>);
}
