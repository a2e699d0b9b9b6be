import { createLocalJWKSet } from 'jose';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { defineService, feedPath, listEvents, ProblemError, type IdToken } from '@clinic/service-kit';
import { refuseHalfADemo } from '@clinic/service-kit/demo-settings';
import { accessIndexes, changedRecord, listAccessEvents } from './access/access-events.ts';
import { RefusedSignIns } from './access/refused-sign-ins.ts';
import { keepDemoAccounts } from './demo/demo-accounts.ts';
import { seedDemoUsers } from './demo/demo-users.ts';
import { openFirebase, type Firebase } from './firebase/firebase-app.ts';
import { accountIsGone, verifyIdToken } from './firebase/id-tokens.ts';
import { countIndexes, removeOldCounts } from './limits/shared-count.ts';
import { registrationLimits, type RegistrationLimits } from './limits/registration-limits.ts';
import { signInLimits, type SignInLimits } from './limits/sign-in-limits.ts';
import { erasedIndexes, forgetErasedAccounts } from './personal-data/erased-accounts.ts';
import { finishErasure, startErasure } from './personal-data/erase-user.ts';
import { exportUser } from './personal-data/export-user.ts';
import { refuseExposedKey } from './private-file.ts';
import { RightsWatch } from './rights/rights-watch.ts';
import { sessionFeed } from './rights/session-feed.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { endSession, openSession, readSession, refreshSession } from './sessions/session-calls.ts';
import { clearSessionCookies } from './sessions/session-cookies.ts';
import { removeOldSessions, sessionIndexes } from './sessions/session-record.ts';
import { loadSigningKey, type SigningKey } from './sessions/signing-key.ts';
import { settings, type IdentityContext } from './settings.ts';
import { prepareAdminGuard } from './users/admin-guard.ts';
import { changeAccess } from './users/change-access.ts';
import { changeRole } from './users/change-role.ts';
import { findOrCreateUser, type SignedInAccount } from './users/find-or-create-user.ts';
import { getUser, getUserHistory } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';
import { registerUser } from './users/register-user.ts';
import { reportUsers } from './users/report-users.ts';
import { userIndexes } from './users/user-record.ts';
import { keepUserTallies, userTallyIndexes } from './users/user-tallies.ts';

/** What the service opens when it starts. */
interface Parts {
  readonly key: SigningKey;
  readonly firebase: Firebase;
  readonly watch: RightsWatch;
  readonly limits: SignInLimits;
  readonly registrations: RegistrationLimits;
}

/** Milliseconds between two removals of sessions and counts that are over. */
const removeEvery = 600_000;

/** A new instance of the identity service; one definition is one running service. */
export function identityService() {
  let opened: Parts | undefined;
  const parts = (): Parts => {
    if (!opened) throw new Error('the identity service has not been started');
    return opened;
  };

  return defineService({
    name: 'identity',
    settings,
    checkSettings: (all) => refuseHalfADemo({ ...all, emulated: all.FIREBASE_AUTH_EMULATOR_HOST !== undefined }),
    indexes: { ...userIndexes, ...userTallyIndexes, ...sessionIndexes, ...accessIndexes, ...countIndexes, ...erasedIndexes },
    async onStart(context) {
      const { DEMO_MODE, FIREBASE_SERVICE_ACCOUNT_FILE, SESSION_KEY_FILE } = context.settings;
      if (!DEMO_MODE && FIREBASE_SERVICE_ACCOUNT_FILE !== undefined) await refuseExposedKey('FIREBASE_SERVICE_ACCOUNT_FILE', FIREBASE_SERVICE_ACCOUNT_FILE);
      const firebase = openFirebase(context);
      const key = await loadSigningKey(SESSION_KEY_FILE, DEMO_MODE);
      await prepareAdminGuard(context);
      await seedDemoUsers(context);
      await keepDemoAccounts(context, firebase);
      const months = await keepUserTallies(context);
      if (months > 0) context.log.info({ months }, 'users have been counted for the report');
      const watch = new RightsWatch(context);
      await watch.start();
      removeOldNowAndThen(context);
      opened = { key, firebase, watch, limits: signInLimits(context), registrations: registrationLimits(context) };
    },
    sessionSource: async () => ({ keys: createLocalJWKSet({ keys: [parts().key.publicJwk] }), versions: parts().watch.versions }),
    verifyIdToken: () => (token) => verifyIdToken(parts().firebase, token),
    onRefusal: (context) => {
      const refused = new RefusedSignIns(context);
      return (refusal) => refused.note(refusal);
    },
    guards: () => ({ startSession: [parts().limits.perAddress], registerUser: [parts().limits.perAddress] }),
    internalRoutes: (router, context) => router.get(feedPath, sessionFeed(parts().watch, context.stopping)),

    handlers: (context) => {
      const { key, firebase, watch, limits, registrations } = parts();
      const goneAccount = (uid: string): Promise<boolean> => accountIsGone(firebase, uid);
      return {
        startSession: async ({ body, idToken, requestId, req, res }) => {
          const account = accountFor(body.email, idToken);
          await limits.countAccount(account.uid, { req, res });
          await registrations.countNew(account.uid, req);
          const user = await findOrCreateUser(context, { account, requestId, call: 'startSession', accountIsGone: goneAccount });
          return openSession(context, key, { user, authTime: account.authTime, provider: account.provider, requestId, address: req.ip }, res);
        },
        getSession: ({ caller }) => readSession(context, caller),
        refreshSession: ({ req, res }) => refreshSession(context, key, req, res),
        endSession: ({ req, res, requestId }) => endSession(context, watch, req, res, requestId),
        getSessionKeys: async () => ({ keys: [{ ...key.publicJwk }] }),
        registerUser: async (request) => {
          await limits.countAccount(request.idToken?.uid ?? request.caller?.id ?? '', request);
          const account = request.idToken && accountFor(request.body.email, request.idToken);
          if (account) await registrations.countNew(account.uid, request.req);
          return registerUser(context, { profile: request.body, account, caller: request.caller, requestId: request.requestId, accountIsGone: goneAccount });
        },
        listUsers: ({ query }) => listUsers(context, query),
        reportUsers: ({ query }) => reportUsers(context, query),
        getUser: ({ params }) => getUser(context, params.email),
        getUserHistory: ({ params, caller }) => getUserHistory(context, params.email, caller),
        changeRole: async ({ params, body, caller, requestId }) => {
          const user = await changeRole(context, { userId: params.id, newRole: body.newRole, caller, requestId });
          await watch.lookNow();
          return user;
        },
        changeAccess: async ({ params, body, caller, requestId }) => {
          const user = await changeAccess(context, { email: params.email, disabled: body.disabled, caller, requestId });
          await watch.lookNow();
          return user;
        },
        endSessions: async ({ params, caller, requestId, res }) => {
          await endSessions(context, { email: params.email, caller, requestId });
          if (params.email === caller.email) clearSessionCookies(context, res);
          await watch.lookNow();
        },
        exportUser: ({ params }) => exportUser(context, params.email),
        startErasure: async ({ params, caller, requestId }) => {
          const started = await startErasure(context, { email: params.email, caller, requestId });
          await watch.lookNow();
          return started;
        },
        finishErasure: async ({ params, caller, requestId }) => finishErasure(context, firebase, { email: params.email, caller, requestId }),
        listAccessEvents: ({ query }) => listAccessEvents(context, query),
        listIdentityEvents: ({ query }) => listEvents(context, query, { changed: changedRecord }),
      };
    },
  });
}

/** @throws ProblemError forbidden when the token is not for that e-mail */
function accountFor(email: string, idToken: IdToken | undefined): SignedInAccount {
  if (!idToken) throw new ProblemError('unauthenticated');
  if (idToken.email !== email || isErasedEmail(email)) throw new ProblemError('forbidden', { detail: 'This e-mail address is not the one you logged in with.' });
  return { ...idToken, email };
}

function removeOldNowAndThen(context: IdentityContext): void {
  const remove = (): void => {
    Promise.all([removeOldSessions(context), removeOldCounts(context), forgetErasedAccounts(context)]).catch((error: unknown) => {
      if (!context.stopping.aborted) context.log.warn({ reason: (error as Error).message }, 'what is over could not be removed, trying again later');
    });
  };
  const timer = setInterval(remove, removeEvery);
  context.stopping.addEventListener('abort', () => clearInterval(timer));
}
