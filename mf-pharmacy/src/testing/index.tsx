import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { routesOfPages } from '@clinic/app-kit/test-pages';
import type { Role } from '@clinic/contracts';
import { render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import remote from '../../remote.config.ts';

/** A request from a page. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | null;
  readonly ifMatch: string | null;
  readonly body: Record<string, unknown>;
}

/** How a test's gateway answers the pharmacy's calls. */
export type Answer = (request: Sent) => Response | Promise<Response>;

/** Replaces the gateway: knows who is signed in, keeps every request to the pharmacy, and responds as defined by the test. */
export function serve(role: Role | undefined, answer: Answer): Sent[] {
  document.cookie = role ? 'signed_in=1' : 'signed_in=; max-age=0';
  const user = {
    email: `${role ?? 'nobody'}@clinic.example`,
    firstName: 'Ann',
    lastName: 'Lee',
    role,
    emailVerified: true,
  };
  const sent: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    if (pathname.startsWith('/users/'))
      return Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '1990-01-01' });
    const body = init?.body ? ((await new Response(init.body).json()) as Record<string, unknown>) : {};
    const headers = new Headers(init?.headers);
    const request = {
      method: init?.method ?? 'GET',
      path: pathname,
      query: searchParams,
      key: headers.get('idempotency-key'),
      ifMatch: headers.get('if-match'),
      body,
    };
    sent.push(request);
    return answer(request);
  };
  return sent;
}

/** A problem response, as the services send it. */
export function problem(code: string, status: number, more: object = {}): Response {
  return Response.json({ type: `/problems/${code}`, title: code, status, code, ...more }, { status });
}

/** jsdom's dialog element can't be opened. */
export function provideDialogs(): void {
  HTMLDialogElement.prototype.showModal = function show() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
}

/** Opens a page of this remote like the shell. */
export async function openPage(path: string, others: RouteObject[] = []): Promise<void> {
  queryClient.clear();
  if (!document.getElementById('config')) {
    const config = document.createElement('script');
    config.id = 'config';
    config.type = 'application/json';
    config.textContent = JSON.stringify({ demoMode: true, emulator: true, firebase: {}, clinicTimeZone: 'Asia/Dhaka' });
    document.head.append(config);
  }
  await session.load();
  const routes = [...routesOfPages(remote.screens, (file) => import(`../../${file}`)), ...others];
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
