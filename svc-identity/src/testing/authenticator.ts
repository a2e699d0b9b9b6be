import { TOTP, Secret } from 'otpauth';
import type { IdentityStack } from './identity-stack.ts';
import { refresh, type Person } from './people.ts';

/** The authenticator app's current code; makes it usable again if it was used. */
export async function currentCode(stack: IdentityStack, email: string, secret: string): Promise<string> {
  await stack.users.updateOne({ email, secondFactor: { $exists: true } }, { $set: { 'secondFactor.lastStep': 0 } });
  return codeOf(secret);
}

export function codeOf(secret: string, timestamp = Date.now()): string {
  return new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) }).generate({
    timestamp,
  });
}

/** A six-digit code that is wrong now and for some minutes. */
export function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, Date.now() + steps * 30_000)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '666666';
}

const pathOf = ({ email }: Person): string => `/users/${email}/second-factor`;

async function startApp(person: Person): Promise<string> {
  const { secret } = (await (await person.fetch(pathOf(person), { method: 'POST' })).json()) as { secret: string };
  return secret;
}

/** Sets up an authenticator app. */
export async function setUpApp(person: Person): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const secret = await startApp(person);
  const code = codeOf(secret);
  const answer = await person.fetch(`${pathOf(person)}/confirm`, { method: 'POST', json: { code } });
  if (answer.status !== 200) throw new Error(`confirming answered ${answer.status}: ${await answer.text()}`);
  const { recoveryCodes } = (await answer.json()) as { recoveryCodes: string[] };
  await refresh(person);
  return { secret, code, recoveryCodes };
}

/**
 * Puts an authenticator app on an account as {@link setUpApp} does, without recovery codes, whose hashes take half a second
 * of a processor, and without a known device.
 *
 * @returns its secret
 */
export async function putApp(stack: IdentityStack, person: Person): Promise<string> {
  const secret = await startApp(person);
  const { secondFactorDraft } = await stack.user(person.email);
  if (!secondFactorDraft) throw new Error('nothing was started');
  const secondFactor = { ...secondFactorDraft, lastStep: 0, recoverySalt: '', recoveryHashes: [] };
  await stack.users.updateOne({ email: person.email }, { $set: { secondFactor }, $unset: { secondFactorDraft: 1 } });
  await refresh(person);
  return secret;
}
