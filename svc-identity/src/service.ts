import { createLocalJWKSet } from 'jose';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import {
  defineService,
  feedPath,
  listEvents,
  listLooks,
  noteLooks,
  ProblemError,
  staffPath,
  type IdToken,
} from '@clinic/service-kit';
import { refuseHalfADemo } from '@clinic/service-kit/demo-settings';
import { accessIndexes, changedRecord, listAccessEvents } from './access/access-events.ts';
import { RejectedSignIns } from './access/refused-sign-ins.ts';
import { keepDemoAccounts } from './demo/demo-accounts.ts';
import { seedDemoUsers } from './demo/demo-users.ts';
import { credentialsSince, refuseOlderToken } from './firebase/credentials-since.ts';
import { openFirebase, type Firebase } from './firebase/firebase-app.ts';
import { accountIsGone, verifyIdToken } from './firebase/id-tokens.ts';
import { countIndexes, removeOldCounts } from './limits/shared-count.ts';
import { registrationLimits, type RegistrationLimits } from './limits/registration-limits.ts';
import { signInLimits, type SignInLimits } from './limits/sign-in-limits.ts';
import { erasedIndexes, forgetErasedAccounts } from './personal-data/erased-accounts.ts';
import { finishErasure, startErasure } from './personal-data/erase-user.ts';
import { exportUser } from './personal-data/export-user.ts';
import { refuseExposedKey } from './private-file.ts';
import { retention } from './retention.ts';
import { RightsWatch } from './rights/rights-watch.ts';
import { sessionFeed } from './rights/session-feed.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { proveIdentity } from './sessions/prove-identity.ts';
import { endSession, openSession, readSession, refreshSession, userOfBrowser } from './sessions/session-calls.ts';
import { clearSessionCookies, refreshIdOf } from './sessions/session-cookies.ts';
import { sessionIndexes } from './sessions/session-record.ts';
import { endOneSession, listSessions } from './sessions/list-sessions.ts';
import { loadSigningKey, type SigningKey } from './sessions/signing-key.ts';
import { removeSecondFactor } from './second-factor/remove-second-factor.ts';
import { requireSecondFactor } from './second-factor/require-second-factor.ts';
import { resealSecrets } from './second-factor/reseal-secrets.ts';
import { openSecondFactors, type SecondFactors } from './second-factor/second-factors.ts';
import { confirmSecondFactor, renewRecoveryCodes, startSecondFactor } from './second-factor/set-up-second-factor.ts';
import { schemaChanges } from './schema-changes.ts';
import { settings, type IdentityContext } from './settings.ts';
import { prepareAdminGuard } from './users/admin-guard.ts';
import { acceptInvitation, readInvitation } from './invitations/accept-invitation.ts';
import { invitationIndexes } from './invitations/invitation-record.ts';
import { inviteStaff, listInvitations, revokeInvitation } from './invitations/invite-staff.ts';
import { changeAccess } from './users/change-access.ts';
import { changeOwnProfile } from './users/change-profile.ts';
import { changeRole } from './users/change-role.ts';
import { findOrCreateUser, type SignedInAccount } from './users/find-or-create-user.ts';
import { getUser, getUserHistory } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';
import { registerUser } from './users/register-user.ts';
import { reportUsers } from './users/report-users.ts';
import { staffList } from './users/staff-list.ts';
import { userIndexes, usersOf } from './users/user-record.ts';
import { keepUserRollups, userRollupIndexes } from './users/user-tallies.ts';

/** Resources opened at start. */
interface Parts {
  readonly key: SigningKey;
  readonly firebase: Firebase;
  readonly watch: RightsWatch;
  readonly limits: SignInLimits;
  readonly factors: SecondFactors;
  readonly registrations: RegistrationLimits;
}

/** Milliseconds between two purges of ended counts. */
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
    indexes: {
      ...userIndexes,
      ...userRollupIndexes,
      ...sessionIndexes,
      ...accessIndexes,
      ...countIndexes,
      ...erasedIndexes,
      ...invitationIndexes,
    },
    schemaChanges,
    retention,
    async onStart(context) {
      const {
        DEMO_MODE,
        FIREBASE_SERVICE_ACCOUNT_FILE,
        SESSION_KEY_FILE,
        SESSION_KEY_PREVIOUS_FILE: previousFile,
      } = context.settings;
      if (!DEMO_MODE && FIREBASE_SERVICE_ACCOUNT_FILE !== undefined)
        await refuseExposedKey('FIREBASE_SERVICE_ACCOUNT_FILE', FIREBASE_SERVICE_ACCOUNT_FILE);
      const firebase = openFirebase(context);
      const key = await loadSigningKey(SESSION_KEY_FILE, DEMO_MODE);
      const previousKey =
        previousFile === undefined ? undefined : await loadSigningKey(previousFile, false, 'SESSION_KEY_PREVIOUS_FILE');
      const factors = openSecondFactors(context, key, previousKey);
      await prepareAdminGuard(context);
      await seedDemoUsers(context);
      await keepDemoAccounts(context, firebase);
      const months = await keepUserRollups(context);
      if (months > 0) context.log.info({ months }, 'user rollups rebuilt');
      if (previousKey)
        context.log.info(
          { secrets: await resealSecrets(context, factors.box) },
          'authenticator secrets re-encrypted with the new session key',
        );
      const watch = new RightsWatch(context);
      await watch.start();
      removeOldNowAndThen(context);
      opened = {
        key,
        firebase,
        watch,
        limits: signInLimits(context),
        factors,
        registrations: registrationLimits(context),
      };
    },
    sessionSource: async () => ({
      keys: createLocalJWKSet({ keys: [parts().key.publicJwk] }),
      versions: parts().watch.versions,
    }),
    verifyIdToken: () => (token) => verifyIdToken(parts().firebase, token),
    onRejection: (context) => {
      const refused = new RejectedSignIns(context);
      return (refusal) => refused.note(refusal);
    },
    guards: () => ({
      startSession: [parts().limits.perAddress],
      registerUser: [parts().limits.perAddress],
      readInvitation: [parts().limits.perAddress],
      acceptInvitation: [parts().limits.perAddress],
    }),
    internalRoutes: (router, context) => {
      router.get(feedPath, sessionFeed(parts().watch, context.stopping));
      router.get(staffPath, staffList(context));
    },

    handlers: (context) => {
      const { key, firebase, watch, limits, factors, registrations } = parts();
      const looks = noteLooks(context);
      const idOf = async (email: string): Promise<string | undefined> =>
        (await usersOf(context).findOne({ email }, { projection: { _id: 1 } }))?._id.toHexString();
      const goneAccount = (uid: string): Promise<boolean> => accountIsGone(firebase, uid);
      return {
        startSession: async ({ body, idToken, requestId, req, res }) => {
          const account = accountFor(body.email, idToken);
          await limits.countAccount(account.uid, { req, res });
          await registrations.countNew(account.uid, req);
          const since = await credentialsSince(firebase, account.uid, context.log);
          refuseOlderToken(account, since);
          const user = await findOrCreateUser(context, {
            account,
            requestId,
            call: 'startSession',
            browserUser: await userOfBrowser(context, req),
            accountIsGone: goneAccount,
          });
          await requireSecondFactor(context, factors, user, body.code, requestId);
          const session = await openSession(
            context,
            key,
            {
              user,
              authTime: account.authTime,
              provider: account.provider,
              passwordChanged: body.passwordChanged === true,
              longPassword: body.longPassword === true,
              credentialsSince: since,
              replaces: refreshIdOf(context, req),
              requestId,
              address: req.ip,
              userAgent: req.get('user-agent'),
            },
            res,
          );
          await watch.pollNow();
          return session;
        },
        getSession: ({ caller }) => readSession(context, caller),
        proveIdentity: async ({ body, caller, requestId, req, res }) => {
          await limits.countAccount(caller.id, { req, res });
          const idToken = body.idToken === undefined ? undefined : await verifyIdToken(firebase, body.idToken);
          if (idToken) refuseOlderToken(idToken, await credentialsSince(firebase, idToken.uid, context.log));
          return proveIdentity(context, key, { idToken, code: body.code, factors, caller, requestId }, res);
        },
        refreshSession: ({ req, res, requestId }) => refreshSession(context, key, req, res, requestId),
        endSession: ({ req, res, requestId }) => endSession(context, watch, req, res, requestId),
        getSessionKeys: async () => ({ keys: [{ ...key.publicJwk }] }),
        registerUser: async (request) => {
          await limits.countAccount(request.idToken?.uid ?? request.caller?.id ?? '', request);
          const account = request.idToken && accountFor(request.body.email, request.idToken);
          if (account) await registrations.countNew(account.uid, request.req);
          return registerUser(context, {
            profile: request.body,
            account,
            caller: request.caller,
            requestId: request.requestId,
            browserUser: await userOfBrowser(context, request.req),
            accountIsGone: goneAccount,
          });
        },
        listUsers: async (request) =>
          looks.listed(request, 'account', await listUsers(context, request.query), ({ _id, email }) => ({
            id: _id,
            email,
          })),
        reportUsers: ({ query }) => reportUsers(context, query),
        getUser: async (request) => {
          const user = await getUser(context, request.params.email, request.caller);
          looks.opened(request, 'account', { id: user._id, email: user.email });
          return user;
        },
        getUserHistory: async (request) => {
          const {
            params: { email },
            caller,
          } = request;
          const history = await getUserHistory(context, email, caller);
          looks.opened(request, 'account', { id: await idOf(email), email });
          return history;
        },
        changeRole: async ({ params, body, caller, requestId }) => {
          const user = await changeRole(context, { userId: params.id, newRole: body.newRole, caller, requestId });
          await watch.pollNow();
          return user;
        },
        changeAccess: async ({ params, body, caller, requestId }) => {
          const user = await changeAccess(context, { email: params.email, disabled: body.disabled, caller, requestId });
          await watch.pollNow();
          return user;
        },
        endSessions: async ({ params, caller, requestId, res }) => {
          await endSessions(context, { email: params.email, caller, requestId });
          if (params.email === caller.email) clearSessionCookies(context, res);
          await watch.pollNow();
        },
        changeOwnProfile: ({ body, caller, requestId }) => changeOwnProfile(context, body, { caller, requestId }),
        listSessions: ({ caller }) => listSessions(context, caller),
        endOneSession: async ({ params, caller, requestId, res }) => {
          await endOneSession(context, params.id, { caller, requestId });
          if (params.id.toLowerCase() === caller.sessionId) clearSessionCookies(context, res);
          await watch.pollNow();
        },
        startSecondFactor: ({ caller, requestId }) => startSecondFactor(context, factors, { caller, requestId }),
        confirmSecondFactor: async ({ body, caller, requestId }) => {
          const recoveryCodes = await confirmSecondFactor(context, factors, { caller, requestId }, body.code);
          await watch.pollNow();
          return { recoveryCodes };
        },
        renewRecoveryCodes: async ({ caller, requestId }) => ({
          recoveryCodes: await renewRecoveryCodes(context, { caller, requestId }),
        }),
        removeSecondFactor: async ({ params, caller, requestId }) => {
          await removeSecondFactor(context, { email: params.email, caller, requestId });
          await watch.pollNow();
        },
        listIdentityLooks: async ({ params: { email }, query, caller }) =>
          listLooks(context, query, caller, { email, id: await idOf(email) }),
        inviteStaff: ({ body, caller, requestId }) =>
          inviteStaff(context, { ...body, profile: body.profile, caller, requestId }),
        listInvitations: ({ query }) => listInvitations(context, query),
        revokeInvitation: async ({ params, caller, requestId }) => {
          await revokeInvitation(context, params.id, { caller, requestId });
        },
        readInvitation: ({ body }) => readInvitation(context, body.token),
        acceptInvitation: async ({ body, caller, requestId, res }) => {
          const session = await acceptInvitation(context, key, { token: body.token, caller, requestId }, res);
          await watch.pollNow();
          return session;
        },
        exportUser: async (request) => {
          const {
            params: { email },
            caller,
          } = request;
          return looks.exported(request, 'account', await exportUser(context, email, caller), {
            id: await idOf(email),
            email,
          });
        },
        startErasure: async ({ params, caller, requestId }) => {
          const started = await startErasure(context, { email: params.email, caller, requestId });
          await watch.pollNow();
          return started;
        },
        finishErasure: async ({ params, caller, requestId, res }) => {
          const finished = await finishErasure(context, firebase, { email: params.email, caller, requestId });
          if (finished.userId === caller.id) clearSessionCookies(context, res);
          await watch.pollNow();
          return finished;
        },
        listAccessEvents: ({ query }) => listAccessEvents(context, query),
        listIdentityEvents: ({ query }) => listEvents(context, query, { changed: changedRecord }),
      };
    },
  });
}

/** @throws ProblemError forbidden if the token isn't for that email */
function accountFor(email: string, idToken: IdToken | undefined): SignedInAccount {
  if (!idToken) throw new ProblemError('unauthenticated');
  if (idToken.email !== email || isErasedEmail(email))
    throw new ProblemError('forbidden', { detail: 'This isn’t the email address you logged in with.' });
  return { ...idToken, email };
}

function removeOldNowAndThen(context: IdentityContext): void {
  const remove = (): void => {
    Promise.all([removeOldCounts(context), forgetErasedAccounts(context)]).catch((error: unknown) => {
      if (!context.stopping.aborted)
        context.log.warn({ reason: (error as Error).message }, 'purge of counts failed, will retry');
    });
  };
  const timer = setInterval(remove, removeEvery);
  context.stopping.addEventListener('abort', () => clearInterval(timer));
}
