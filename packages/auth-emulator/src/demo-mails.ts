import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DurableProject } from './durable-project.ts';
import type { OutOfBandCode } from './firebase-internals.ts';
import { recipientOf } from './recipient.ts';

/** Path of the demo mailbox; the gateway forwards it in demo mode only. */
export const mailsPath = '/demo/mails';

/** Path of all mails; the gateway never forwards it. */
const everyMailPath = '/internal/mails';

/** A mail that a real project would have sent. */
export interface DemoMail {
  /** What the link does, named as in Firebase's own links. */
  readonly mode: string;
  readonly to: string;
  /** Path on the clinic's own origin. */
  readonly link: string;
  /** ISO instant; absent in mails of earlier releases. */
  readonly at?: string;
}

const modes: Readonly<Record<string, string>> = {
  VERIFY_EMAIL: 'verifyEmail',
  PASSWORD_RESET: 'resetPassword',
  VERIFY_AND_CHANGE_EMAIL: 'verifyAndChangeEmail',
  RECOVER_EMAIL: 'recoverEmail',
};

/** Maximum number of mails in a response. */
const maxMails = 20;

/**
 * The mails to an address whose links haven't been used, newest first.
 *
 * @param codes - oldest first
 */
export function mailsTo(codes: Iterable<OutOfBandCode>, address: string): DemoMail[] {
  const to = address.trim().toLowerCase();
  return [...codes]
    .filter((code) => recipientOf(code).toLowerCase() === to)
    .reverse()
    .flatMap((code) => mailOf(code) ?? [])
    .slice(0, maxMails);
}

function mailOf(code: OutOfBandCode): DemoMail | undefined {
  const mode = modes[code.requestType];
  if (mode === undefined) return undefined;
  const query = new URLSearchParams({ mode, oobCode: code.oobCode });
  const continueUrl = new URL(code.oobLink).searchParams.get('continueUrl');
  if (continueUrl !== null) query.set('continueUrl', continueUrl);
  return {
    mode,
    to: recipientOf(code),
    link: `/auth/action?${query.toString()}`,
    ...(code.createdAt !== undefined && { at: code.createdAt }),
  };
}

/**
 * All mails whose links haven't been used, with the account that each concerns, for svc-identity.
 *
 * @param codes - oldest first
 */
export function everyMail(codes: Iterable<OutOfBandCode>): (DemoMail & { readonly account: string })[] {
  return [...codes].flatMap((code) => {
    const mail = mailOf(code);
    return mail ? [{ ...mail, to: mail.to.toLowerCase(), account: code.email.toLowerCase() }] : [];
  });
}

/**
 * Answers `GET /demo/mails?email=`, and to the clinic's own services `GET /internal/mails`.
 *
 * @returns whether the request was for this path
 */
export function answerMails(project: DurableProject, request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === everyMailPath) return send(response, 200, everyMail(project.openCodes()));
  if (pathname !== mailsPath) return false;
  const email = searchParams.get('email') ?? '';
  const [status, body]: [number, unknown] =
    request.method !== 'GET'
      ? [405, { error: 'only GET' }]
      : email === ''
        ? [400, { error: 'say whose: ?email=' }]
        : [200, mailsTo(project.openCodes(), email)];
  return send(response, status, body);
}

function send(response: ServerResponse, status: number, body: unknown): true {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
  return true;
}
