import type { Handler } from '@clinic/service-kit';
import { readCredentials, rejectOlderToken } from '../firebase/credentials-since.ts';
import { verifyIdToken } from '../firebase/id-tokens.ts';
import type { IdentityParts } from '../open-parts.ts';
import type { IdentityContext } from '../settings.ts';
import { browserOf } from './calling-browser.ts';
import { endSession as endBrowserSession } from './end-session.ts';
import { endSessions as endAllOf } from './end-sessions.ts';
import { endOneSession as endOne, listSessions as listOwn } from './list-sessions.ts';
import { proveIdentity as prove } from './prove-identity.ts';
import { readSession } from './read-session.ts';
import { refreshSession as refresh } from './refresh-session.ts';
import { startSession as start } from './start-session.ts';
import { sessionWatch } from './watch-session.ts';

/** Handlers of the calls about sessions: signing in and out, tokens, devices. */
export function sessionHandlers(context: IdentityContext, parts: IdentityParts) {
  const { key, firebase, watch, limits, factors } = parts;

  const startSession: Handler<'startSession'> = (request) =>
    start(context, parts, request, browserOf(context, request));

  const getSession: Handler<'getSession'> = ({ caller }) => readSession(context, caller);

  const proveIdentity: Handler<'proveIdentity'> = async (request) => {
    const { body, caller, requestId, idempotencyKey } = request;
    const browser = browserOf(context, request);
    await limits.countAccount(caller.id, browser.address);
    const idToken = body.idToken === undefined ? undefined : await verifyIdToken(firebase, body.idToken);
    if (idToken) rejectOlderToken(idToken, await readCredentials(firebase, idToken.uid, context.log));
    const proof = { idToken, code: body.code, factors, caller, requestId, idempotencyKey };
    return prove(context, key, proof, browser);
  };

  const refreshSession: Handler<'refreshSession'> = (request) =>
    refresh(context, key, browserOf(context, request), request.requestId);

  const endSession: Handler<'endSession'> = (request) =>
    endBrowserSession(context, watch, browserOf(context, request), request.requestId);

  const getSessionKeys: Handler<'getSessionKeys'> = async () => ({ keys: [{ ...key.publicJwk }] });

  const endSessions: Handler<'endSessions'> = async ({ params, query, caller, requestId, req, res }) => {
    await watch.readAfter(endAllOf(context, { ...params, ...query, caller, requestId }));
    if (params.email === caller.email) browserOf(context, { req, res }).forgetSession();
  };

  const listSessions: Handler<'listSessions'> = ({ caller }) => listOwn(context, caller);

  const endOneSession: Handler<'endOneSession'> = async ({ params, caller, requestId, req, res }) => {
    await watch.readAfter(endOne(context, params.id, { caller, requestId }));
    if (params.id.toLowerCase() === caller.sessionId) browserOf(context, { req, res }).forgetSession();
  };

  return {
    startSession,
    getSession,
    watchSession: sessionWatch(context),
    proveIdentity,
    refreshSession,
    endSession,
    getSessionKeys,
    endSessions,
    listSessions,
    endOneSession,
  };
}
