import type { SessionUser } from '@clinic/contracts';
import { cleanup } from '@testing-library/react';
import { queryClient, session } from '../host/app.ts';
import { notifications } from '../host/notify.ts';
import {
  problemAnswer,
  reachServer,
  startTestServer,
  TestFirebase,
  type SeenRequest,
  type TestAnswer,
  type TestHandler,
  type TestServer,
} from './test-server.ts';

/** A test's clinic: a real server whose responses the test defines. */
export interface TestClinic {
  readonly server: TestServer;
  readonly firebase: TestFirebase;
  /** Who is logged in according to the browser's cookies. */
  user: SessionUser | undefined;
  /** Responses by method and path; anything else is a 404. */
  readonly answers: Record<string, TestHandler>;
  /** The changing calls that our services received. */
  readonly made: () => string[];
  /** The body of the last such call. */
  readonly sent: (call: string) => unknown;
  readonly close: () => Promise<void>;
}

export { muteExpectedLogs, prepareEnvironment } from './test-environment.ts';

export async function startTestClinic(user?: SessionUser): Promise<TestClinic> {
  const firebase = new TestFirebase();
  const known: SessionUser = { email: '', firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: false };
  const clinic: TestClinic = {
    firebase,
    user,
    answers: {
      'POST /jwt': ({ body, headers }) => {
        const claims = JSON.parse(
          Buffer.from(String(headers.authorization).split('.')[1] ?? '', 'base64url').toString(),
        ) as { email_verified: boolean };
        clinic.user = {
          ...(clinic.user ?? known),
          email: (body as { email: string }).email,
          emailVerified: claims.email_verified,
        };
        return { json: { user: clinic.user } };
      },
      'DELETE /jwt': () => {
        clinic.user = undefined;
        return { status: 204 };
      },
      'POST /users': () => ({ json: {} }),
    },
    made: () =>
      server.seen
        .filter(({ method, url }) => method !== 'GET' && !url.includes('googleapis'))
        .map(({ method, url }) => `${method} ${url}`),
    sent: (call) => server.seen.findLast(({ method, url }) => `${method} ${url}` === call)?.body,
    server: undefined as unknown as TestServer,
    async close() {
      cleanup();
      await queryClient.cancelQueries();
      // Also at the identity provider, which would keep the user for the next test.
      await session.logout();
      await server.close();
    },
  };
  const server = await startTestServer((request) => {
    const { method, url } = request;
    const answer = clinic.answers[`${method} ${url}`];
    if (answer) return answer(request);
    if (url === '/jwt/session' || url === '/jwt/refresh')
      return clinic.user ? { json: { user: clinic.user } } : problemAnswer('unauthenticated');
    if (method === 'GET' && clinic.user && url === `/users/${encodeURIComponent(clinic.user.email)}`)
      return { json: { ...clinic.user, _id: 'a'.repeat(24), phone: '', dateOfBirth: '' } };
    return firebase.answer(request) ?? problemAnswer('not_found');
  });
  reachServer(server);
  return Object.assign(clinic, { server });
}

/**
 * Prepares a clinic in which calls need a fresh proof, and a person who gives it by a code when they are asked, as in
 * the shell's dialog.
 *
 * @returns `guarded`, which rejects calls before that proof, and the number of times they were asked so far
 */
export function proveWhenAsked(clinic: TestClinic) {
  let proven = false;
  let asked = 0;
  clinic.answers['POST /jwt/proof'] = () => {
    proven = true;
    return { json: { user: clinic.user } };
  };
  const unsubscribe = session.checks.subscribe(() => {
    const [check] = session.checks.get();
    if (!check) return;
    asked += 1;
    void check.answer({ by: 'code', code: '123456', key: 'of-the-code' });
  });
  return {
    guarded:
      (answer: (request: SeenRequest) => TestAnswer) =>
      (request: SeenRequest): TestAnswer =>
        proven ? answer(request) : problemAnswer('proof_needed'),
    /** The proof becomes too old. */
    expire: () => {
      proven = false;
    },
    asked: () => asked,
    stop: unsubscribe,
  };
}

/** Has the page find out who is logged in, with nothing left from before. */
export async function arrive(clinic: TestClinic): Promise<void> {
  queryClient.clear();
  notifications.set([]);
  document.cookie = clinic.user ? 'signed_in=1' : 'signed_in=; max-age=0';
  await session.load();
}

/** The notifications the visitor sees. */
export const shownNotifications = (): string[] =>
  notifications.get().map(({ text, detail }) => (detail === undefined ? text : `${text}: ${detail}`));
