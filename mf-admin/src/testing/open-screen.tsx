import { session } from '@clinic/app-kit/host';
import { serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { admin } from './open-as.tsx';
import { renderScreen } from './render-screen.tsx';

/**
 * Opens one of the remote's screens through its contract, signed in as an admin.
 *
 * @param path - address with its query
 * @param answer - replaces the services
 * @returns the changing requests
 */
export async function openScreen(path: string, answer: (request: PageRequest) => Response) {
  const changes: Pick<PageRequest, 'method' | 'path' | 'body'>[] = [];
  serveAs(admin, (request) => {
    const { method, path: called, body } = request;
    if (method !== 'GET') changes.push({ method, path: called, body });
    return answer(request);
  });
  await session.load();
  await renderScreen(path);
  return changes;
}
