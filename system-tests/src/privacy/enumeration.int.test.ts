import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { everyRoute } from '../support/every-call.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { register } from './newcomer.ts';

// Neither a visitor nor another patient can find out who is known to the clinic.

let services: ThreeServices;
before(async () => {
  services = await startThreeServices({ messages: 'idle' });
});
after(() => services.close());

const nobody = 'nobody.at.all@mail.example';

/** A response without what differs between any two requests. */
async function answerTo(answering: Promise<Response>): Promise<string> {
  const answer = await answering;
  const body = (await answer.text()).replaceAll(/"requestId":"[^"]*"/g, '');
  return `${answer.status} ${body}`;
}

/** Valid bodies for calls that need one: the body is validated before the person is checked. */
const bodies: Readonly<Record<string, object>> = {
  changeOwnProfile: { address: '1 Road' },
  confirmSecondFactor: { code: '000000' },
};

/** Every call with a person in its path. */
const namingCalls = Object.entries(everyRoute).flatMap(([id, { service, method, path, access }]) => {
  const self = access.kind === 'restricted' ? access.self : undefined;
  if (!self || self.in === 'body') return [];
  const address = (email: string): string =>
    self.in === 'query'
      ? `${path}?${self.field}=${email}`
      : path.replace(`:${self.field}`, email).replace(':id', 'f'.repeat(24));
  return [{ id, json: bodies[id], service, method, address }];
});

test('calls that name a person answer a stranger the same, whether the person exists or not', async () => {
  assert.ok(namingCalls.length >= 10);
  const visitor = services.from('');
  const patient = services.from(await services.signIn(people.patient.email));
  for (const { id, service, method, address, json } of namingCalls) {
    for (const [who, from, status] of [
      ['a visitor', visitor, 401],
      ['a patient', patient, 403],
    ] as const) {
      const ask = (email: string) => answerTo(from(service)(address(email), { method, ...(json && { json }) }));
      const [known, unknown] = [await ask(people.otherPatient.email), await ask(nobody)];
      assert.equal(known, unknown, `${id} by ${who}`);
      assert.ok(known.startsWith(String(status)), `${id} by ${who} answers ${known}`);
    }
  }
});

test('signing in, registering or resetting a password doesn’t reveal to others whether somebody has an account', async () => {
  const identity = services.from('')('identity');
  const idToken = await services.idToken(people.patient.email);
  const proof = { Authorization: `Bearer ${idToken}` };
  const profile = { firstName: 'A', lastName: 'B', phone: '+880 1555 010101', dateOfBirth: '1990-01-01' };
  const emulator = async (call: string, body: object): Promise<string> => {
    const answer = await fetch(`${services.emulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=test`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answerTo(Promise.resolve(answer))).replaceAll(/"(email|sessionId)": ?"[^"]*"/g, '');
  };
  const asks: Readonly<Record<string, (email: string) => Promise<string>>> = {
    'another’s sign-in': (email) => answerTo(identity('/jwt', { method: 'POST', json: { email }, headers: proof })),
    'another’s registration': (email) =>
      answerTo(identity('/users', { method: 'POST', json: { ...profile, email }, headers: proof })),
    'a wrong password': (email) =>
      emulator('signInWithPassword', { email, password: 'not the password', returnSecureToken: true }),
    'a new password': (email) => emulator('sendOobCode', { email, requestType: 'PASSWORD_RESET' }),
    'ways to sign in': (email) => emulator('createAuthUri', { identifier: email, continueUri: 'http://localhost' }),
  };
  for (const [name, ask] of Object.entries(asks))
    assert.equal(await ask(people.otherPatient.email), await ask(nobody), name);
});

test('a record’s id can’t be derived from another one, so a rejected id reveals nothing', async () => {
  const ann = await register(services);
  const doctors = (await (await services.from('')('clinic')('/doctors')).json()) as Doctor[];
  const doctor =
    doctors.find(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length >= 3) ?? assert.fail();
  const date = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 120);
  const ids: string[] = [];
  for (const time of doctor.availableTimes.slice(0, 3)) {
    const answer = await ann.at('clinic')('/appoinments', {
      method: 'POST',
      json: {
        patientname: 'A',
        patientemail: ann.email,
        age: 3,
        address: 'x',
        number: '12345',
        date,
        time,
        doctoremail: doctor.email,
      },
    });
    ids.push(((await answer.json()) as Appointment)._id);
  }
  // Forty random bits after the time, different in each id.
  assert.equal(new Set(ids.map((id) => id.slice(8, 18))).size, 3);
});
