import { createLocalJWKSet } from 'jose';
import { defineService, feedPath, keepRollupsInBackground, staffPath } from '@clinic/service-kit';
import { rejectHalfDemo } from '@clinic/service-kit/demo-settings';
import { accessIndexes } from './access/access-events.ts';
import { accessHandlers } from './access/access-handlers.ts';
import { RejectedSignIns } from './access/rejected-sign-ins.ts';
import { keepDemoAccounts } from './demo/demo-accounts.ts';
import { seedDemoUsers } from './demo/demo-users.ts';
import { openFirebase } from './firebase/firebase-app.ts';
import { verifyIdToken } from './firebase/id-tokens.ts';
import { invitationHandlers } from './invitations/invitation-handlers.ts';
import { invitationIndexes } from './invitations/invitation-record.ts';
import { registrationLimits } from './limits/registration-limits.ts';
import { countIndexes, removeOldCounts } from './limits/shared-count.ts';
import { signInLimits } from './limits/sign-in-limits.ts';
import type { IdentityParts } from './parts.ts';
import { erasedIndexes, forgetErasedAccounts } from './personal-data/erased-accounts.ts';
import { personalDataHandlers } from './personal-data/personal-data-handlers.ts';
import { rejectExposedKey } from './private-file.ts';
import { retention } from './retention.ts';
import { RightsWatch } from './rights/rights-watch.ts';
import { sessionFeed } from './rights/session-feed.ts';
import { schemaChanges } from './schema-changes.ts';
import { resealSecrets } from './second-factor/reseal-secrets.ts';
import { secondFactorHandlers } from './second-factor/second-factor-handlers.ts';
import { openSecondFactors } from './second-factor/second-factors.ts';
import { sessionHandlers } from './sessions/session-handlers.ts';
import { sessionIndexes } from './sessions/session-record.ts';
import { loadSigningKey } from './sessions/signing-key.ts';
import { settings, type IdentityContext } from './settings.ts';
import { prepareAdminGuard } from './users/admin-guard.ts';
import { staffList } from './users/staff-list.ts';
import { userHandlers } from './users/user-handlers.ts';
import { userIndexes } from './users/user-record.ts';
import { userRollupIndexes, userRollupPlan } from './users/user-rollups.ts';

/** Milliseconds between two purges of ended counts. */
const removeEvery = 600_000;

/** A new instance of the identity service; one definition is one running service. */
export function identityService() {
  let opened: IdentityParts | undefined;
  const parts = (): IdentityParts => {
    if (!opened) throw new Error('the identity service has not been started');
    return opened;
  };

  return defineService({
    name: 'identity',
    settings,
    checkSettings: (all) => rejectHalfDemo({ ...all, emulated: all.FIREBASE_AUTH_EMULATOR_HOST !== undefined }),
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
        await rejectExposedKey('FIREBASE_SERVICE_ACCOUNT_FILE', FIREBASE_SERVICE_ACCOUNT_FILE);
      const firebase = openFirebase(context);
      const key = await loadSigningKey(SESSION_KEY_FILE, DEMO_MODE);
      const previousKey =
        previousFile === undefined ? undefined : await loadSigningKey(previousFile, false, 'SESSION_KEY_PREVIOUS_FILE');
      const factors = openSecondFactors(context, key, previousKey);
      await prepareAdminGuard(context);
      await seedDemoUsers(context);
      await keepDemoAccounts(context, firebase);
      keepRollupsInBackground(context, userRollupPlan(context));
      if (previousKey)
        context.log.info(
          { secrets: await resealSecrets(context, factors.box) },
          'authenticator secrets re-encrypted with the new session key',
        );
      const watch = new RightsWatch(context);
      await watch.start();
      purgePeriodically(context);
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
      const rejected = new RejectedSignIns(context);
      return (rejection) => rejected.note(rejection);
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

    handlers: (context) => ({
      ...sessionHandlers(context, parts()),
      ...userHandlers(context, parts()),
      ...secondFactorHandlers(context, parts()),
      ...invitationHandlers(context, parts()),
      ...personalDataHandlers(context, parts()),
      ...accessHandlers(context),
    }),
  });
}

function purgePeriodically(context: IdentityContext): void {
  const remove = (): void => {
    Promise.all([removeOldCounts(context), forgetErasedAccounts(context)]).catch((error: unknown) => {
      if (!context.stopping.aborted)
        context.log.warn({ reason: (error as Error).message }, 'purge of counts failed, will retry');
    });
  };
  const timer = setInterval(remove, removeEvery);
  context.stopping.addEventListener('abort', () => clearInterval(timer));
}
