import { BackgroundLoop, keepDerivedFields, keepRollupsInBackground } from '@clinic/service-kit';
import { fillAccountFeed } from './account-feed/fill-account-feed.ts';
import { openFirebase } from './firebase/firebase-app.ts';
import { registrationLimits } from './limits/registration-limits.ts';
import { signInLimits } from './limits/sign-in-limits.ts';
import { DeletionRunner } from './personal-data/deletion-runner.ts';
import { forgetErasedAccounts } from './personal-data/erased-accounts.ts';
import { rejectExposedKey } from './private-file.ts';
import { RightsWatch } from './rights/rights-watch.ts';
import { resealSecrets } from './second-factor/reseal-secrets.ts';
import { openSecondFactors } from './second-factor/second-factors.ts';
import { loadSigningKey } from './sessions/signing-key.ts';
import type { IdentityContext } from './settings.ts';
import { prepareAdminGuard } from './users/admin-guard.ts';
import { userSearchFields } from './users/user-record.ts';
import { userRollupPlan } from './users/user-rollups.ts';

/** Milliseconds between purges of the records of deleted accounts. */
const removeEvery = 600_000;

/** Time by which a rolling upgrade has finished, milliseconds. */
const upgradeTakes = 2 * 86_400_000;

/** Resources opened at start that several areas use. */
export type IdentityParts = Awaited<ReturnType<typeof openParts>>;

/** The service's start-up work. @returns what its handlers share */
export async function openParts(context: IdentityContext) {
  const {
    DEMO_MODE,
    FIREBASE_AUTH_EMULATOR_HOST: emulator,
    FIREBASE_SERVICE_ACCOUNT_FILE,
    SESSION_KEY_FILE,
    SESSION_KEY_PREVIOUS_FILE: previousFile,
  } = context.settings;
  if (!DEMO_MODE && FIREBASE_SERVICE_ACCOUNT_FILE !== undefined)
    await rejectExposedKey('FIREBASE_SERVICE_ACCOUNT_FILE', FIREBASE_SERVICE_ACCOUNT_FILE);
  const firebase = openFirebase(context);
  if (!firebase.mayDelete)
    context.log.warn(
      'no FIREBASE_SERVICE_ACCOUNT_FILE: who confirms an address in another browser gets a new account, sign-in accounts must be deleted by hand, and passwords changed outside our pages end no sessions',
    );
  const key = await loadSigningKey(SESSION_KEY_FILE, DEMO_MODE);
  const previousKey =
    previousFile === undefined ? undefined : await loadSigningKey(previousFile, false, 'SESSION_KEY_PREVIOUS_FILE');
  const factors = openSecondFactors(context, key, previousKey);
  await prepareAdminGuard(context);
  if (DEMO_MODE) {
    await (await import('./demo/demo-users.ts')).seedDemoUsers(context);
    await (await import('./demo/demo-accounts.ts')).keepDemoAccounts(context, firebase);
  }
  keepRollupsInBackground(context, userRollupPlan(context));
  keepDerivedFields(context, userSearchFields(context.settings.CLINIC_COUNTRY));
  // Also without a previous key: that one is missing is told at the start, not by the first person who can't log in.
  const secrets = await resealSecrets(context, factors.box);
  if (previousKey) context.log.info({ secrets }, 'authenticator secrets re-encrypted with the new session key');
  const watch = new RightsWatch(context);
  await watch.start();
  tidyPeriodically(context);
  if (emulator !== undefined) await (await import('./demo/follow-demo-mails.ts')).followDemoMails(context, emulator);
  const deletions = new DeletionRunner(context, firebase);
  void deletions.run();
  const limits = signInLimits(context);
  return { key, firebase, watch, limits, factors, deletions, registrations: registrationLimits(context) };
}

/** Purges the records of deleted accounts, and completes the feed of accounts. */
function tidyPeriodically(context: IdentityContext): void {
  const work = async (): Promise<void> => {
    await forgetErasedAccounts(context);
    // Replicas of a release without the feed keep running for a while after the schema change.
    await fillAccountFeed(context, new Date(Date.now() - upgradeTakes));
  };
  void new BackgroundLoop(context, { what: 'purge of deleted accounts', work, every: removeEvery }).run();
}
