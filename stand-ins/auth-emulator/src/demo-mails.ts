import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DurableProject } from './durable-project.ts';
import type { OutOfBandCode } from './firebase-internals.ts';
import { recipientOf } from './recipient.ts';

/** Path of the mails, for the clinic's own services; the gateway never forwards it. */
const mailsPath = '/internal/mails';

/** A mail that a real project would have sent. */
export interface DemoMail {
  /** What the link does, named as in Firebase's own links. */
  readonly mode: string;
  readonly to: string;
  /** Address of the account it is about. */
  readonly account: string;
  /** Path on the clinic's own origin. */
  readonly link: string;
}

const modes: Readonly<Record<string, string>> = {
  VERIFY_EMAIL: 'verifyEmail',
  PASSWORD_RESET: 'resetPassword',
  VERIFY_AND_CHANGE_EMAIL: 'verifyAndChangeEmail',
  RECOVER_EMAIL: 'recoverEmail',
};

function mailOf(code: OutOfBandCode): DemoMail | undefined {
  const mode = modes[code.requestType];
  if (mode === undefined) return undefined;
  const query = new URLSearchParams({ mode, oobCode: code.oobCode });
  const continueUrl = new URL(code.oobLink).searchParams.get('continueUrl');
  if (continueUrl !== null) query.set('continueUrl', continueUrl);
  return {
    mode,
    to: recipientOf(code).toLowerCase(),
    account: code.email.toLowerCase(),
    link: `/auth/action?${query.toString()}`,
  };
}

/**
 * Answers `GET /internal/mails`: all mails whose links haven't been used, oldest first, for svc-identity.
 *
 * @returns whether the request was for this path
 */
export function answerMails(project: DurableProject, request: IncomingMessage, response: ServerResponse): boolean {
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== mailsPath) return false;
  const mails = [...project.openCodes()].flatMap((code) => mailOf(code) ?? []);
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(mails));
  return true;
}
