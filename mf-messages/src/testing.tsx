import { arrive, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { renderRoutes, routesOfPages } from '@clinic/app-kit/test-pages';
import type { TestAnswer } from '@clinic/app-kit/test-server';
import type { Role } from '@clinic/contracts';
import type { RouteObject } from 'react-router-dom';
import remote from '../remote.config.ts';
import type { OwnMessage } from './calls.ts';

/** The signed-in person of the tests. */
const ann = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', emailVerified: true };

let open: TestClinic | undefined;

beforeAll(prepareEnvironment);
muteExpectedLogs();
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** What a test has opened. */
export interface Opened {
  readonly clinic: TestClinic;
  /** Where the page is now: path and query. */
  readonly address: () => string;
}

/**
 * Opens a page against a test server.
 *
 * @param routes - the pages that the test can reach
 * @param path - address with its query
 * @param answers - by method and path, as in TestClinic
 * @param role - of the person who is signed in; `undefined`: nobody is
 */
export async function openRoutes(
  routes: RouteObject[],
  path: string,
  answers: TestClinic['answers'],
  role?: Role,
): Promise<Opened> {
  const clinic = await startTestClinic(role && { ...ann, role });
  open = clinic;
  Object.assign(clinic.answers, answers);
  await arrive(clinic);
  return { clinic, address: await renderRoutes(routes, path) };
}

/** {@link openRoutes} with this remote's pages. */
export function openPage(path: string, answers: TestClinic['answers'], role?: Role): Promise<Opened> {
  const screens = routesOfPages(remote.screens, (file) => import(`../${file}`));
  return openRoutes([...screens, { path: '*', element: <p>Another page</p> }], path, answers, role);
}

/** {@link openPage} for an admin. */
export const openAsAdmin = (path: string, answers: TestClinic['answers']): Promise<Opened> =>
  openPage(path, answers, 'admin');

/** A message that Ann was sent. */
export const sentMessage: OwnMessage = {
  _id: 'b'.repeat(24),
  kind: 'appointment-booked',
  about: {},
  status: 'sent',
  createdAt: '2026-11-23T04:00:00.000Z',
  dueAt: '2026-11-23T04:00:00.000Z',
  sentAt: '2026-11-23T04:00:02.000Z',
};

/** One page of a list. @param next - address of the page after it */
export const paged = (rows: readonly object[], { total = rows.length, next = '' } = {}): TestAnswer => ({
  json: rows,
  headers: { 'X-Total-Count': String(total), ...(next && { Link: `<${next}>; rel="next"` }) },
});

/** The addresses that were read, with their query. */
export const readFrom = ({ server }: TestClinic, path: string): string[] =>
  server.seen.filter(({ method, url }) => method === 'GET' && url.split('?')[0] === path).map(({ url }) => url);
