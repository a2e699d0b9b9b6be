import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { demoPassword } from '@clinic/demo-data';
import { audiencesHeader } from '@clinic/service-kit';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import type { TestedService } from '../support/every-call.ts';
import type { ThreeServices } from '../support/three-services.ts';

/** Somebody who registered a moment ago, with a unique name. */
export interface Newcomer {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly dateOfBirth: string;
  readonly street: string;
  readonly cookie: string;
  /** Opens sessions while the account exists. */
  readonly idToken: string;
  /** Requests from their browser. */
  readonly at: (service: TestedService) => TestFetch;
}

let newcomers = 0;

/** Creates an account and registers, as the form does. */
export async function register(
  services: ThreeServices,
  fields: Partial<Pick<Newcomer, 'email' | 'lastName' | 'phone' | 'street'>> = {},
): Promise<Newcomer> {
  newcomers += 1;
  const person = {
    email: `zebediah.quillfeather${newcomers}@nowhere.example`,
    firstName: 'Zebediah',
    lastName: `Quillfeather${newcomers}`,
    phone: `+880 1999 98765${newcomers}`,
    dateOfBirth: new Date(Date.UTC(1947, 2, newcomers)).toISOString().slice(0, 10),
    street: `${newcomers} Unfindable Street`,
    ...fields,
  };
  const answer = await fetch(`${services.emulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=test`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: demoPassword, returnSecureToken: true }),
  });
  const { idToken } = (await answer.json()) as { idToken: string };
  const proof = { Authorization: `Bearer ${idToken}` };
  const { email, firstName, lastName, phone, dateOfBirth } = person;
  const identity = testFetch(services.urls.identity);
  const registered = await identity('/users', {
    method: 'POST',
    json: { email, firstName, lastName, phone, dateOfBirth },
    headers: proof,
  });
  if (registered.status !== 200)
    throw new Error(`registering answered ${registered.status}: ${await registered.text()}`);
  const cookie = await services.signIn(email);
  return { ...person, idToken, cookie, at: services.from(cookie) };
}

/** Proves the person's address, as the link in the confirmation mail does, or moves them to another one. */
export async function prove(services: ThreeServices, person: Newcomer, email = person.email): Promise<Newcomer> {
  const emulator = `${services.emulatorUrl}/identitytoolkit.googleapis.com/v1`;
  const { sub: localId } = JSON.parse(Buffer.from(person.idToken.split('.')[1] ?? '', 'base64url').toString()) as {
    readonly sub: string;
  };
  const changed = await fetch(`${emulator}/accounts:update`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer owner' },
    body: JSON.stringify({ localId, email, emailVerified: true }),
  });
  if (!changed.ok) throw new Error(`proving ${email} answered ${changed.status}: ${await changed.text()}`);
  // A proof counts from the second after the last time that all sessions ended.
  await nextSecond();
  const idToken = await services.idToken(email);
  const answer = await testFetch(services.urls.identity, { Cookie: person.cookie })('/jwt', {
    method: 'POST',
    json: { email },
    headers: { Authorization: `Bearer ${idToken}`, [audiencesHeader]: Object.keys(services.urls).join(',') },
  });
  if (answer.status !== 200) throw new Error(`signing in ${email} answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { ...person, email, idToken, cookie, at: services.from(cookie) };
}

/** The body of a newcomer's booking for themselves: the doctor's first listed time unless another is given. */
export const bookingOf = (
  { firstName, lastName, email, street, phone }: Newcomer,
  { email: doctoremail, availableTimes: [time] }: Pick<Doctor, 'email' | 'availableTimes'>,
  visit: { readonly date: string; readonly time?: string; readonly reason?: string },
) => ({
  patientname: `${firstName} ${lastName}`,
  patientemail: email,
  age: 78,
  address: street,
  number: phone,
  doctoremail,
  time,
  ...visit,
});
