import { request as requests, type APIRequestContext, type APIResponse } from '@playwright/test';
import { linkInMail } from './mailbox.ts';
import type { Role, User } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';

/** Somebody with their own account, so that concurrent tests don't interfere. */
export interface Patient {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Headers with which the browser marks our own pages' requests. */
export const ours = { 'sec-fetch-site': 'same-origin' };

/** The identity provider's REST paths, as the browser's SDK calls them. */
export async function firebase<T>(
  api: APIRequestContext,
  call: 'signUp' | 'signInWithPassword' | 'sendOobCode' | 'update',
  data: object,
): Promise<T> {
  return read<T>(await api.post(`/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo-key`, { data }));
}

/** @throws Error with the response, if it isn't successful */
export async function expectOk(response: APIResponse): Promise<void> {
  if (!response.ok()) throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`);
}

/** A response's body. @throws Error with the response, if it isn't successful */
export async function read<T>(response: APIResponse): Promise<T> {
  await expectOk(response);
  return (await response.json()) as T;
}

let registered = 0;

/** Registers a patient without the form. */
export async function registerPatient(
  api: APIRequestContext,
  firstName: string,
  device: string,
  lastName = 'Live',
): Promise<Patient> {
  registered += 1;
  const patient = {
    firstName,
    lastName,
    email: `${firstName}.${device}.${Date.now()}.${registered}@mail.example`.toLowerCase(),
    password: 'Secret-77',
  };
  const { idToken } = await firebase<{ idToken: string }>(api, 'signUp', {
    email: patient.email,
    password: patient.password,
    returnSecureToken: true,
  });
  const profile = {
    firstName,
    lastName: patient.lastName,
    email: patient.email,
    phone: '+880 1555 777002',
    dateOfBirth: '1990-04-01',
  };
  await read(await api.post('/users', { data: profile, headers: { ...ours, authorization: `Bearer ${idToken}` } }));
  return patient;
}

/**
 * Confirms somebody's email address with the link from the demo's mailbox. They are logged in before and after, so that our server
 * knows that the person who registered also reads the mail, and keeps the details they entered.
 */
export async function confirmAddress(
  api: APIRequestContext,
  person: Pick<Patient, 'email' | 'password'>,
): Promise<void> {
  await signIn(api, person);
  const { idToken } = await firebase<{ idToken: string }>(api, 'signInWithPassword', {
    email: person.email,
    password: person.password,
    returnSecureToken: true,
  });
  await firebase(api, 'sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
  const link = await linkInMail(api, person.email, /\/auth\/action\?\S*mode=verifyEmail\S*/);
  await firebase(api, 'update', { oobCode: link.searchParams.get('oobCode') });
  await signIn(api, person);
}

/** Logs somebody in without the form: pages that share the cookies are logged in. */
export async function signIn(
  api: APIRequestContext,
  { email, password }: Pick<Patient, 'email' | 'password'>,
): Promise<void> {
  const { idToken } = await firebase<{ idToken: string }>(api, 'signInWithPassword', {
    email,
    password,
    returnSecureToken: true,
  });
  await read(await api.post('/jwt', { data: { email }, headers: { ...ours, authorization: `Bearer ${idToken}` } }));
}

/** The clinic's admin, in a separate context. */
export interface Office {
  changeRole(email: string, newRole: Role): Promise<void>;
  switchAccount(email: string, state: 'off' | 'on'): Promise<void>;
  logOutEverywhere(email: string): Promise<void>;
  /** @returns the token from the invitation link */
  inviteDoctor(email: string, name: string, availableTimes: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Logs in the demo's admin without a page. */
export async function openOffice(baseURL: string | undefined): Promise<Office> {
  const api = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  await signIn(api, { email: demoAccounts.admin, password: demoPassword });
  return {
    async changeRole(of, newRole) {
      const { _id } = await read<User>(await api.get(`/users/${of}`));
      await expectOk(await api.patch(`/update-role/${_id}`, { data: { newRole } }));
    },
    switchAccount: async (of, state) =>
      expectOk(await api.patch(`/users/${of}/access`, { data: { disabled: state === 'off' } })),
    logOutEverywhere: async (of) => expectOk(await api.delete(`/users/${of}/sessions`)),
    async inviteDoctor(of, name, availableTimes) {
      const profile = {
        name,
        qualification: 'MBBS',
        specialization: 'Dermatology',
        experience: 5,
        location: 'Level 2',
        availableTimes,
      };
      return (
        await read<{ token: string }>(
          await api.post('/staff/invitations', { data: { email: of, role: 'doctor', profile } }),
        )
      ).token;
    },
    close: () => api.dispose(),
  };
}
