import { createLocalJWKSet } from 'jose';
import { countIndexes, defineService } from '@clinic/service-kit';
import { rejectHalfDemo } from '@clinic/service-kit/demo-settings';
import { accountFeedIndexes } from './account-feed/account-feed.ts';
import { accessIndexes } from './access/access-events.ts';
import { accessHandlers } from './access/access-handlers.ts';
import { noteRejectedSignIns } from './access/rejected-sign-ins.ts';
import { identityCalls } from './contract/calls.ts';
import { deploymentHandlers } from './deployments/deployment-handlers.ts';
import { deploymentIndexes } from './deployments/deployment-record.ts';
import { verifyIdToken } from './firebase/id-tokens.ts';
import { addInternalRoutes } from './internal-routes.ts';
import { invitationHandlers } from './invitations/invitation-handlers.ts';
import { invitationIndexes } from './invitations/invitation-record.ts';
import { openParts } from './open-parts.ts';
import { deletionIndexes } from './personal-data/deletion-record.ts';
import { erasedIndexes } from './personal-data/erased-accounts.ts';
import { personalDataHandlers } from './personal-data/personal-data-handlers.ts';
import { retention } from './retention.ts';
import { schemaChanges } from './schema-changes.ts';
import { secondFactorHandlers } from './second-factor/second-factor-handlers.ts';
import { sessionHandlers } from './sessions/session-handlers.ts';
import { sessionIndexes } from './sessions/session-record.ts';
import { settings } from './settings.ts';
import { userHandlers } from './users/user-handlers.ts';
import { userIndexes } from './users/user-record.ts';
import { userRollupIndexes } from './users/user-rollups.ts';

/** The identity service: accounts, sessions, roles and deployments. */
export const identityService = defineService({
  name: 'identity',
  calls: identityCalls,
  settings,
  checkSettings: (all) => rejectHalfDemo({ ...all, emulated: all.FIREBASE_AUTH_EMULATOR_HOST !== undefined }),
  indexes: {
    ...userIndexes,
    ...userRollupIndexes,
    ...sessionIndexes,
    ...accessIndexes,
    ...accountFeedIndexes,
    ...countIndexes,
    ...erasedIndexes,
    ...deletionIndexes,
    ...invitationIndexes,
    ...deploymentIndexes,
  },
  schemaChanges,
  retention,
  outbox: true,
  onStart: openParts,
  sessionSource: (_context, { key, watch }) => ({
    keys: createLocalJWKSet({ keys: [key.publicJwk] }),
    versions: watch.versions,
  }),
  verifyIdToken:
    (_context, { firebase }) =>
    (token) =>
      verifyIdToken(firebase, token),
  onRejection: noteRejectedSignIns,
  guards: (_context, { limits }) => ({
    startSession: [limits.perAddress],
    registerUser: [limits.perAddress],
    readInvitation: [limits.perAddress],
    acceptInvitation: [limits.perAddress],
  }),
  internalRoutes: addInternalRoutes,
  handlers: (context, parts) => ({
    ...sessionHandlers(context, parts),
    ...userHandlers(context, parts),
    ...secondFactorHandlers(context, parts),
    ...invitationHandlers(context, parts),
    ...personalDataHandlers(context, parts),
    ...accessHandlers(context),
    ...deploymentHandlers(context),
  }),
});
