import type { ServerResponse } from 'node:http';
import { sendText } from '../server/answers.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { Context } from '../context.ts';
import { Upstream } from './upstream.ts';

/** The account calls the SDK makes. */
const calls = [
  'signUp',
  'signInWithPassword',
  'signInWithIdp',
  'lookup',
  'update',
  'sendOobCode',
  'resetPassword',
  'createAuthUri',
  'delete',
];

/**
 * Only what the SDK needs: the emulator has no access control, and would reveal one-time codes and let anyone
 * reconfigure it.
 */
const allowed = new Set([
  ...calls.map((call) => `/identitytoolkit.googleapis.com/v1/accounts:${call}`),
  '/securetoken.googleapis.com/v1/token',
]);

/** Path segments of these addresses, which the log may show. */
export const firebasePaths = [
  'identitytoolkit.googleapis.com',
  'securetoken.googleapis.com',
  'v1',
  'token',
  ...calls.map((call) => `accounts:${call}`),
];

/** Milliseconds after which pages come without sign-in: less than a container has until it counts as unhealthy. */
const signInWithinMs = 60_000;

/** The Auth emulator as an upstream. */
export function openEmulator(context: Context, url: string): Upstream {
  return new Upstream(context, {
    name: 'auth-emulator',
    urls: [url],
    changeOrigin: true,
    onFailure: (req, res) => sendText(req, res, 503, 'The login service isn’t responding. Try again in a moment.'),
  });
}

/**
 * Whether the demo's sign-in has been ready once. After a restart of the machine all containers start at once and the
 * emulator takes longest, so the gateway waits for it before it says that it is ready.
 */
export function signInStart(emulator: Upstream | undefined): () => boolean {
  const until = Date.now() + signInWithinMs;
  let started = emulator === undefined;
  return () =>
    (started ||= Date.now() > until || emulator?.replicas.all.some(({ readiness }) => readiness === 'ready') === true);
}

/** The emulator recognises a browser that has signed in before by this cookie (stand-ins/auth-emulator). */
const deviceCookie = /^clinic_device_[0-9a-f]{20}=[\w.-]{1,200}$/;

/**
 * Forwards the browser SDK's requests to the Auth emulator under our own origin (demo mode only). Errors are plain
 * text, because the SDK signs people out when it gets a JSON error.
 *
 * @param emulator `undefined` outside demo mode
 */
export function firebase(emulator: Upstream | undefined): (req: GatewayRequest, res: ServerResponse) => void {
  return (req, res) => {
    const { pathname: path, originalUrl } = req;
    req.target = 'auth-emulator';
    if (!emulator || !allowed.has(path)) return sendText(req, res, 404, 'not offered here');
    if (req.method !== 'POST') return sendText(req, res, 405, 'only POST');
    // `Authorization: Bearer owner` would make the caller the emulator's administrator. It gets no cookies but its own.
    delete req.headers.authorization;
    const cookies = (req.headers.cookie ?? '').split(/; */).filter((cookie) => deviceCookie.test(cookie));
    if (cookies.length > 0) req.headers.cookie = cookies.join('; ');
    else delete req.headers.cookie;
    // Express has cut off the first segment.
    req.url = originalUrl;
    emulator.send(req, res);
  };
}
