import { randomUUID } from 'node:crypto';
import type { Role } from '@clinic/contracts';
import { internationalPhone, type StaffAccount } from '@clinic/service-kit';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
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
