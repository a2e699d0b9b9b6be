import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallId } from '@clinic/contracts';
import { everyRoute } from '../support/every-call.ts';
import { people } from '../support/three-services.ts';
import { callOf, requestMakerForFile, send } from './requests.ts';

// An unattended browser, or a stolen session, isn't enough for what can do harm: each such call, with a proof that is too old.

/**
 * The calls that need a fresh proof: they change who gets in, let data out to somewhere else, delete for good, or decide
 * which code visitors run.
 */
const dangerous: Readonly<Partial<Record<CallId, 'always' | 'forOthers'>>> = {
  changeRole: 'always',
  changeRights: 'always',
  changeAccess: 'always',
  inviteStaff: 'always',
  revokeInvitation: 'always',
  endSessions: 'forOthers',
  startSecondFactor: 'always',
  confirmSecondFactor: 'always',
  renewRecoveryCodes: 'always',
  removeSecondFactor: 'always',
  exportUser: 'forOthers',
  exportClinicData: 'forOthers',
  exportPharmacyData: 'forOthers',
  exportMessagesData: 'forOthers',
  startErasure: 'always',
  finishErasure: 'always',
  eraseClinicData: 'always',
  erasePatient: 'always',
  erasePharmacyData: 'always',
  eraseMessagesData: 'always',
  changeDeployment: 'always',
  replaceCalendarFeed: 'always',
  addWebhook: 'always',
  changeWebhook: 'always',
  removeWebhook: 'always',
  rotateWebhookSecret: 'always',
};

const { services, maker, data } = await requestMakerForFile();

/** Logs somebody in with a proof from eleven minutes ago. */
async function tired(email: string): Promise<string> {
  const cookie = await services.signIn(email);
  await services.databases.identity
    .collection('sessions')
    .updateMany({}, { $set: { provenAt: new Date(Date.now() - 660_000) } });
  const answer = await services.from(cookie)('identity')('/jwt/refresh', { method: 'POST' });
  assert.equal(answer.status, 200);
  const renewed = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  return renewed.join('; ');
}

test('exactly the dangerous calls need a fresh proof', () => {
  const needed = Object.entries(everyRoute).flatMap(([id, { access }]) =>
    (access.kind === 'restricted' || access.kind === 'session') && access.freshProof !== undefined
      ? [[id, access.freshProof] as const]
      : [],
  );
  const byName = (one: readonly [string, string], other: readonly [string, string]): number =>
    one[0].localeCompare(other[0]);
  assert.deepEqual(needed.toSorted(byName), Object.entries(dangerous).toSorted(byName));
});

test('with an old proof each of them is refused, and nothing has changed', { timeout: 600_000 }, async (t) => {
  const byAdmin = await tired(people.admin.email);
  const byPatient = await tired(people.patient.email);
  for (const [name, make] of Object.entries(maker.requests)) {
    const { id, route } = callOf(name);
    if (!(id in dangerous)) continue;
    await t.test(name, async () => {
      const request = await make();
      const { access } = route;
      const cookie = access.kind === 'restricted' && access.roles.length > 0 ? byAdmin : byPatient;
      await data.changesIn(route.service);
      const answer = await send(services.from(cookie)(route.service), route, request);
      assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [403, 'proof_needed']);
      assert.deepEqual(await data.changesIn(route.service), []);
    });
  }
});
