import { randomUUID } from 'node:crypto';
import type { Role } from '@clinic/contracts';
import { internationalPhone, type StaffAccount } from '@clinic/service-kit';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { TOTP, Secret } from 'otpauth';
import { searchFields, type UserRecord } from '../users/user-record.ts';
import { openBrowser, profile, type Browser } from './browser.ts';
import type { IdentityStack } from './identity-stack.ts';

/** A person with a confirmed address, logged in with Google in a browser of their own. */
export interface Person extends Browser {
  readonly email: string;
  readonly id: string;
  /** A fresh proof of identity: an ID token. */
  prove(): Promise<string>;
  /** Another browser in which they are logged in. */
  elsewhere(userAgent?: string): Promise<Browser>;
}

/** @param role - set directly in the database */
export async function confirmedPerson(
  stack: IdentityStack,
  email: string,
  role: Role = 'patient',
  url = stack.url,
): Promise<Person> {
  const sub = randomUUID();
  const prove = (): Promise<string> => stack.signInWithGoogle({ sub, email, name: 'Ann Lee' });
  const logIn = async (userAgent?: string): Promise<Browser> => {
    const browser = openBrowser(url);
    const headers = userAgent === undefined ? undefined : { 'User-Agent': userAgent };
    const idToken = await prove();
    const answer = await untilServed(() => browser.startSession(email, idToken, {}, headers));
    if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}: ${await answer.text()}`);
    return browser;
  };
  const browser = await logIn();
  if (role !== 'patient') {
    await stack.users.updateOne({ email }, { $set: { role, staff: true } });
    await refresh(browser);
  }
  return { ...browser, email, id: (await stack.user(email))._id.toHexString(), prove, elsewhere: logIn };
}

export function refresh(browser: Browser): Promise<Response> {
  return browser.fetch('/jwt/refresh', { method: 'POST' });
}

/** Makes a person's last proof of identity too old for actions that need a fresh one. */
export async function ageProof(stack: IdentityStack, person: Person): Promise<void> {
  const { _id: userId } = await stack.user(person.email);
  await stack.sessions.updateMany({ userId }, { $set: { provenAt: new Date(Date.now() - 700_000) } });
  await refresh(person);
}

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

/** Statuses of responses, ascending. */
export const statusesOf = (answers: readonly Response[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

/** Status and problem code of a response. */
export async function verdict(answering: Response | Promise<Response>): Promise<[number, string | undefined]> {
  const answer = await answering;
  const text = await answer.text();
  return [answer.status, text === '' ? undefined : (JSON.parse(text) as { code?: string }).code];
}

export async function changeRole(stack: IdentityStack, by: Browser, email: string, newRole: string): Promise<Response> {
  const { _id } = await stack.user(email);
  return by.fetch(`/update-role/${_id.toHexString()}`, { method: 'PATCH', json: { newRole } });
}

/** Gives a right beside the role, or takes it away. */
export function changeRights(by: Browser, email: string, right: string, given = true): Promise<Response> {
  return by.fetch(`/users/${email}/rights`, { method: 'PATCH', json: { right, given } });
}

/** Switches an account off, or on again. */
export function changeAccess(by: Browser, email: string, disabled: boolean): Promise<Response> {
  return by.fetch(`/users/${email}/access`, { method: 'PATCH', json: { disabled } });
}

/** A registered patient with a confirmed address, for the database. */
export function userRecord(email: string, changes: Partial<UserRecord> = {}): UserRecord {
  const phoneE164 = internationalPhone(changes.phone ?? profile.phone, 'BD');
  return {
    _id: new ObjectId(),
    email,
    ...profile,
    phoneE164,
    role: 'patient',
    emailVerified: true,
    registered: true,
    version: 1,
    createdAt: new Date(),
    ...searchFields({ ...profile, phoneE164, ...changes }, email),
    ...changes,
  };
}

/** A member of staff as other services read them, from any replica. */
export async function staffAccountOf(
  { internal }: Pick<IdentityStack, 'internal'>,
  email: string,
): Promise<StaffAccount | undefined> {
  const staff = (await (await internal('/internal/staff')).json()) as StaffAccount[];
  return staff.find((account) => account.email === email);
}

/** Sets up an authenticator app. */
export async function setUpApp(person: Person): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const path = `/users/${person.email}/second-factor`;
  const { secret } = (await (await person.fetch(path, { method: 'POST' })).json()) as { secret: string };
  const code = codeOf(secret);
  const answer = await person.fetch(`${path}/confirm`, { method: 'POST', json: { code } });
  if (answer.status !== 200) throw new Error(`confirming answered ${answer.status}: ${await answer.text()}`);
  const { recoveryCodes } = (await answer.json()) as { recoveryCodes: string[] };
  await refresh(person);
  return { secret, code, recoveryCodes };
}
