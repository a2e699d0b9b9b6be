import type { SessionUser } from '@clinic/contracts';

/** A request from a page. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** From JSON; `undefined` without a body. */
  readonly body: unknown;
}

/** Who is signed in, and what their account has besides. */
export type SignedIn = Omit<SessionUser, 'role'> & { readonly role?: string | undefined };

/**
 * Replaces the gateway: knows who is signed in, and responds to all other requests as the test says.
 *
 * @param user - `undefined`: nobody is signed in
 * @param answer - responds like the services
 * @param account - further fields of the person's account, read at each request
 */
export function serveAs(
  user: SignedIn | undefined,
  answer: (request: PageRequest) => Response | Promise<Response>,
  account: () => object = () => ({}),
): void {
  document.cookie = user ? 'signed_in=1' : 'signed_in=; max-age=0';
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    const method = init?.method ?? 'GET';
    if (user && method === 'GET' && decodeURIComponent(pathname) === `/users/${user.email}`)
      return Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '', ...account() });
    const text = await new Response(init?.body).text();
    return answer({
      method,
      path: pathname,
      query: searchParams,
      headers: new Headers(init?.headers),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    });
  };
}

/** A problem response, as the services send it. */
export function problemResponse(code: string, status: number, more: object = {}): Response {
  return Response.json({ type: `/problems/${code}`, title: code, status, code, ...more }, { status });
}
