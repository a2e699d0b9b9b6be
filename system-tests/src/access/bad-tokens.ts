import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { cookieNames } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { makeAccessToken } from '../../../svc-identity/src/sessions/access-token.ts';
import { usersOf } from '../../../svc-identity/src/users/user-record.ts';
import { register } from '../privacy/newcomer.ts';
import { bystanders, people, type ThreeServices } from '../support/three-services.ts';

/**
 * Cookies that no service may accept, by what is wrong with them.
 *
 * @returns once every service rejects them
 */
export async function openBadTokens(services: ThreeServices): Promise<ReadonlyMap<string, string>> {
  const { key, databases } = services;
  const admin =
    (await usersOf({ db: databases.identity }).findOne({ email: people.admin.email })) ?? assert.fail('no admin');
  const grant = {
    user: admin,
    role: admin.role,
    sessionId: 'matrix',
    provenAt: new Date(),
    audiences: Object.keys(services.urls),
  };
  const cookieOf = async (signer: typeof key, seconds: number): Promise<string> =>
    `${cookieNames.access}=${(await makeAccessToken(signer, grant, seconds)).token}`;
  const otherKey = { ...key, privateKey: generateKeyPairSync('ed25519').privateKey };
  return new Map([
    ['expired token', await cookieOf(key, -10)],
    ['forged token', await cookieOf(otherKey, 300)],
    ['demoted admin', await cookieOfDemotedAdmin(services)],
    ['switched-off patient', await cookieOfSwitchedOff(services)],
  ]);
}

/** Cookies of somebody whose account has just been switched off. */
async function cookieOfSwitchedOff(services: ThreeServices): Promise<string> {
  const { email, cookie, at } = await register(services);
  const admin = services.from(await services.signIn(people.admin.email))('identity');
  assert.equal((await at('clinic')('/appoinments?email=' + email)).status, 200);
  assert.equal((await admin(`/users/${email}/access`, { method: 'PATCH', json: { disabled: true } })).status, 200);
  await waitUntil(async () => {
    assert.equal((await at('identity')(`/users/${email}`)).status, 401);
    assert.equal((await at('clinic')(`/appoinments?email=${email}`)).status, 401);
    assert.equal((await at('pharmacy')(`/orderMedi?email=${email}`)).status, 401);
    assert.equal((await at('messages')('/messages/mine')).status, 401);
  });
  // Without the refresh id, which gets a different answer.
  return cookie.split('; ')[0] ?? '';
}

/** Cookies of somebody who has just stopped being an admin. */
async function cookieOfDemotedAdmin(services: ThreeServices): Promise<string> {
  const email = bystanders.at(-1) ?? assert.fail('nobody to demote');
  const admin = services.from(await services.signIn(people.admin.email))('identity');
  const user = (await (await admin(`/users/${email}`)).json()) as { _id: string };
  const give = async (newRole: string): Promise<void> =>
    assert.equal((await admin(`/update-role/${user._id}`, { method: 'PATCH', json: { newRole } })).status, 200);
  await give('admin');
  const [access = ''] = (await services.signIn(email)).split('; ');
  const theirs = services.from(access);
  assert.equal((await theirs('clinic')('/appoinments?limit=1')).status, 200);
  await give('patient');
  await waitUntil(async () => {
    assert.equal((await theirs('identity')('/users?limit=1')).status, 401);
    assert.equal((await theirs('clinic')('/appoinments?limit=1')).status, 401);
    assert.equal((await theirs('pharmacy')('/orderMedi?limit=1')).status, 401);
    assert.equal((await theirs('messages')('/messages?limit=1')).status, 401);
  });
  return access;
}
