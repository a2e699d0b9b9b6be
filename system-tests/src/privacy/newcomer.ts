import type { Doctor } from '@clinic/contracts';
import { demoPassword } from '@clinic/demo-data';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
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
  fields: Partial<Pick<Newcomer, 'email'>> = {},
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
