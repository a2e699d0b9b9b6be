import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { notifications, session } from '@clinic/app-kit/host';
import type { WaitlistEntry, WaitlistOffer } from '@clinic/svc-clinic/contract/waitlist-calls';
import { cleanup } from '@testing-library/react';
import type { ReactElement } from 'react';
import { prepareBrowser } from './browser.ts';
import { ann } from './records.ts';

/** Responses by method and path, e.g. `GET /waitlist`; read at each request. */
export type Answers = Record<string, (query: URLSearchParams) => Response | Promise<Response>>;

/** A request that the services received. */
interface Received {
  readonly call: string;
  readonly query: string;
  readonly body: Record<string, unknown> | undefined;
}

/** Shows a screen to a signed-in person. @returns the requests made so far, a list that grows */
export async function show(element: ReactElement, answers: Answers, { role = 'patient', at = '/' } = {}) {
  const received: Received[] = [];
  serveAs({ ...ann, role }, ({ method, path, query, body }) => {
    const call = `${method} ${path}`;
    received.push({ call, query: query.toString(), body: body as Received['body'] });
    const answer = answers[call];
    if (!answer) throw new Error(`The test has no answer for ${call}`);
    return answer(query);
  });
  await session.load();
  await renderRoutes([{ path: '*', element }], at);
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
    problemResponse(code, status, { title: 'It failed', ...more });

/** The messages that the visitor sees. */
export const shownMessages = (): string[] => notifications.get().map(({ text }) => text);

/** Sets up each test of a file: no messages, and dialogs that open. */
export function setUpWaitlist(): void {
  prepareBrowser();
  beforeEach(() => notifications.set([]));
  afterEach(() => {
    cleanup();
    jest.useRealTimers();
  });
}
