import { notifications, queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import type { WaitlistEntry, WaitlistOffer } from '@clinic/contracts';
import { cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import { prepareBrowser } from './browser.ts';

const ann = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: true };

/** Responses by method and path, e.g. `GET /waitlist`; read at each request. */
export type Answers = Record<string, (query: URLSearchParams) => Response | Promise<Response>>;

/** A request that the services received. */
export interface Received {
  readonly call: string;
  readonly query: string;
  readonly body: Record<string, unknown> | undefined;
}

/** Shows a screen to a signed-in person. @returns the requests made so far, a list that grows */
export async function show(element: ReactElement, answers: Answers, { role = 'patient', at = '/' } = {}) {
  const user = { ...ann, role };
  const received: Received[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    if (pathname.startsWith('/users/'))
      return Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '' });
    const call = `${init?.method ?? 'GET'} ${pathname}`;
    const text = await new Response(init?.body).text();
    received.push({
      call,
      query: searchParams.toString(),
      body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    });
    const answer = answers[call];
    if (!answer) throw new Error(`The test has no answer for ${call}`);
    return answer(searchParams);
  };
  document.cookie = 'signed_in=1';
  await session.load();
  const router = createMemoryRouter([{ path: '*', element }] as RouteObject[], { initialEntries: [at] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return received;
}

export const place = (more: Partial<WaitlistEntry> = {}): WaitlistEntry => ({
  _id: 'a'.repeat(24),
  patientname: 'Ann Lee',
  patientemail: ann.email,
  doctorname: 'Dr. Grey',
  doctoremail: 'grey@clinic.example',
  from: '2100-01-04',
  until: '2100-01-08',
  parts: ['morning', 'afternoon', 'evening'],
  status: 'waiting',
  joinedAt: '2099-12-01T08:00:00Z',
  ...more,
});

export const offer = (more: Partial<WaitlistOffer> = {}): WaitlistOffer => ({
  _id: 'f'.repeat(24),
  doctorname: 'Dr. Grey',
  date: '2100-01-05',
  time: '09:30',
  status: 'open',
  madeAt: '2100-01-01T08:00:00Z',
  until: '2100-01-01T08:30:00Z',
  left: 1_800_000,
  ...more,
});

/** A problem as the services send it. */
export const problem =
  (code: string, status: number, more: object = {}) =>
  (): Response =>
    Response.json({ type: `/problems/${code}`, title: 'It failed', status, code, ...more }, { status });

/** The messages that the visitor sees. */
export const shownMessages = (): string[] => notifications.get().map(({ text }) => text);

/** Sets up each test of a file: an empty cache, dialogs that open, and no logs of rejected calls. */
export function setUpWaitlist(): void {
  prepareBrowser();
  beforeEach(() => {
    queryClient.clear();
    notifications.set([]);
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });
}
