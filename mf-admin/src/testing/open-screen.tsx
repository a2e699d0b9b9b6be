import { session } from '@clinic/app-kit/host';
import { configure } from '@testing-library/react';
import { renderScreen } from './render-screen.tsx';

/** The user of the screens under test. */
export const admin = {
  email: 'admin@clinic.example',
  firstName: 'Nadia',
  lastName: 'Rahman',
  role: 'admin',
  emailVerified: true,
};

/** A request from a screen. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/**
 * Opens one of the remote's screens through its contract, signed in as an admin.
 *
 * @param path - address with its query
 * @param answer - replaces the services
 * @param onRead - called with every address that is read
 * @returns the changing requests
 */
export async function openScreen(
  path: string,
  answer: (sent: Sent) => Response,
  onRead?: (url: URL) => void,
): Promise<Sent[]> {
  document.cookie = 'signed_in=1';
  const changes: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    const { pathname } = url;
    if (pathname === '/jwt/session') return Response.json({ user: admin, expiresAt: '2100-01-01T00:00:00Z' });
    if (pathname === `/users/${admin.email}`)
      return Response.json({ ...admin, _id: 'a'.repeat(24), phone: '', dateOfBirth: '1982-03-14' });
    const sent: Sent = {
      method: init?.method ?? 'GET',
      path: pathname,
      body: init?.body ? await new Response(init.body).json() : undefined,
    };
    if (sent.method !== 'GET') changes.push(sent);
    else onRead?.(url);
    return answer(sent);
  };
  await session.load();
  await renderScreen(path);
  return changes;
}

/** The settings that the gateway writes into the page; call it in `beforeAll`. */
export function prepareEnvironment(): void {
  // Time limit for a busy machine.
  configure({ asyncUtilTimeout: 10_000 });
  const config = document.createElement('script');
  config.id = 'config';
  config.type = 'application/json';
  config.textContent = JSON.stringify({ demoMode: true, emulator: true, firebase: {}, clinicTimeZone: 'Asia/Dhaka' });
  document.head.append(config);
}
