import type { ServerResponse } from 'node:http';
import { sendText } from './answers.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { Upstream } from './upstream.ts';

/** The SDK's calls of accounts. */
const calls = ['signUp', 'signInWithPassword', 'signInWithIdp', 'lookup', 'update', 'sendOobCode', 'resetPassword', 'createAuthUri', 'delete'];

/**
 * What the SDK needs, and nothing else: the emulator has no security of its own, and would let anyone read codes and
 * change its configuration.
 */
const allowed = new Set([...calls.map((call) => `/identitytoolkit.googleapis.com/v1/accounts:${call}`), '/securetoken.googleapis.com/v1/token']);

/** The mails of a demo (packages/auth-emulator). */
const mailbox = '/demo/mails';

/** Parts of these addresses, for the log. */
export const firebasePaths = ['demo', 'mails', 'identitytoolkit.googleapis.com', 'securetoken.googleapis.com', 'v1', 'token', ...calls.map((call) => `accounts:${call}`)];

/** By these the emulator knows a browser from which somebody has signed in before (packages/auth-emulator). */
const deviceCookie = /^clinic_device_[0-9a-f]{20}=[\w.-]{1,200}$/;

/**
 * Lets the SDK in the browser reach the Auth emulator under our own origin (demo mode only). Every error is plain text:
 * the SDK signs people out when it reads a JSON error.
 *
 * @param path path of the request without the query
 * @param emulator `undefined` outside demo mode
 */
export function handleFirebase(req: GatewayRequest, res: ServerResponse, path: string, emulator: Upstream | undefined): void {
  if (!emulator || !(allowed.has(path) || path === mailbox)) return sendText(req, res, 404, 'not offered here');
  const method = path === mailbox ? 'GET' : 'POST';
  if (req.method !== method) return sendText(req, res, 405, `only ${method}`);
  // `Authorization: Bearer owner` would make the caller the emulator's administrator. Of cookies only its own are its business.
  delete req.headers.authorization;
  const cookies = (req.headers.cookie ?? '').split(/; */).filter((cookie) => deviceCookie.test(cookie));
  if (cookies.length > 0) req.headers.cookie = cookies.join('; ');
  else delete req.headers.cookie;
  emulator.send(req, res);
}
