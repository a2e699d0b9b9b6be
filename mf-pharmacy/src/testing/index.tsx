import { queryClient, session } from '@clinic/app-kit/host';
import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes, routesOfPages } from '@clinic/app-kit/test-pages';
import type { Role } from '@clinic/contracts';
import type { RouteObject } from 'react-router-dom';
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

/** Responds to the pharmacy's calls in a test. */
export type Answer = (request: Sent) => Response | Promise<Response>;

/** Replaces the gateway. @returns the requests to the pharmacy, a list that grows */
export function serve(role: Role | undefined, answer: Answer): Sent[] {
  const sent: Sent[] = [];
  const user = { email: `${role}@clinic.example`, firstName: 'Ann', lastName: 'Lee', role, emailVerified: true };
  serveAs(role && user, ({ headers, body = {}, ...request }) => {
    const seen = {
      ...request,
      key: headers.get('idempotency-key'),
      ifMatch: headers.get('if-match'),
      body: body as Record<string, unknown>,
    };
    sent.push(seen);
    return answer(seen);
  });
  return sent;
}

beforeAll(() => {
  prepareEnvironment();
  // The simulated browser has no layout to scroll.
  Element.prototype.scrollIntoView = () => undefined;
});
muteExpectedLogs('The file could not be checked', 'The import was interrupted', 'An order could not be shipped');

/** Opens a page of this remote, as the shell does. @param others - routes beside the remote's own */
export async function openPage(path: string, others: RouteObject[] = []): Promise<void> {
  queryClient.clear();
  await session.load();
  await renderRoutes([...routesOfPages(remote.screens, (file) => import(`../../${file}`)), ...others], path);
}
