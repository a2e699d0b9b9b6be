import assert from 'node:assert/strict';
import type { Right } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { register } from '../privacy/newcomer.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bystanders, people, type Person, type ThreeServices } from '../support/three-services.ts';
import { withoutRights } from './attempts.ts';
import { openBadTokens } from './bad-tokens.ts';

/** Who makes a call. */
export interface Actor {
  readonly cookie: () => Promise<string>;
  /** Whom the services must identify; `undefined` if the token is invalid. */
  readonly known: Person | undefined;
}

/** Everybody who may try a call. */
export interface Actors {
  readonly actors: Readonly<Record<string, Actor>>;
  /** Makes everybody sign in again for the next call. */
  readonly forgetSessions: () => void;
}

/** Prepares everybody; some are only created before they sign in for the first time. */
export async function openActors(services: ThreeServices): Promise<Actors> {
  const badTokens = await openBadTokens(services);
  const sessions = new Map<string, string>();
  const signedIn = (person: Person): Actor => ({
    known: person,
    async cookie() {
      const cookie = sessions.get(person.email) ?? (await services.signIn(person.email));
      sessions.set(person.email, cookie);
      return cookie;
    },
  });
  const madeFirst = (
    email: string,
    make: (of: ThreeServices, email: string) => Promise<void>,
    rights: readonly Right[] = [],
  ): Actor => {
    const { known, cookie } = signedIn({ email, role: 'patient', rights });
    let made: Promise<void> | undefined;
    return {
      known,
      async cookie() {
        await (made ??= make(services, email));
        return cookie();
      },
    };
  };
  const withToken = (name: string): Actor => ({
    known: undefined,
    cookie: () => Promise.resolve(badTokens.get(name) ?? assert.fail(name)),
  });
  return {
    forgetSessions: () => sessions.clear(),
    actors: {
      anonymous: { known: undefined, cookie: () => Promise.resolve('') },
      patient: signedIn(people.patient),
      'other patient': signedIn(people.otherPatient),
      doctor: signedIn(people.doctor),
      'other doctor': signedIn(people.otherDoctor),
      pharmacist: signedIn(people.pharmacist),
      admin: signedIn(people.admin),
      'expired token': withToken('expired token'),
      'forged token': withToken('forged token'),
      'demoted admin': withToken('demoted admin'),
      receptionist: madeFirst(bystanders.at(-3) ?? '', giveRight('reception'), ['reception']),
      'stock keeper': madeFirst(bystanders.at(-4) ?? '', giveRight('stock'), ['stock']),
      unconfirmed: madeFirst(withoutRights['an unclaimed patient'], registerUnconfirmed),
      squatter: madeFirst(withoutRights['an unclaimed doctor'], registerSquatter),
      'former doctor': madeFirst(withoutRights['a former doctor'], demoteDoctor),
      'switched-off patient': withToken('switched-off patient'),
    },
  };
}

/** Days until the last appointment that the office booked. */
let bookedDays = 20;

/** An admin, and a doctor's profile and an appointment that the admin creates. */
async function openOffice(services: ThreeServices) {
  const office = services.from(await services.signIn(people.admin.email));
  const made = <Made>(path: string, json: object): Promise<Made> =>
    readJson(office('clinic')(path, { method: 'POST', json }));
  return {
    office,
    createProfile: async (email: string): Promise<void> => {
      const { _id } = await made<Doctor>('/doc-pharma', {
        name: 'Dr. Unclaimed',
        email,
        qualification: 'MBBS',
        specialization: 'Dermatology',
        experience: 3,
        role: 'doctor',
      });
      // Without hours nobody can be booked with them.
      const json = { availableTimes: ['10:00'] };
      await readJson(office('clinic')(`/doctors/${_id}`, { method: 'PATCH', json }));
    },
    book: (between: { readonly patientemail: string; readonly doctoremail: string }) => {
      bookedDays += 1;
      return made<Appointment>('/appoinments', {
        patientname: 'Unclaimed Person',
        age: 40,
        address: '1 Secret Road',
        number: '+880 1555 123456',
        date: new Date(Date.now() + bookedDays * 86_400_000).toISOString().slice(0, 10),
        time: '10:00',
        ...between,
      });
    },
  };
}

/** Gives a patient a right beside the role. */
const giveRight =
  (right: Right) =>
  async (services: ThreeServices, email: string): Promise<void> => {
    const { office } = await openOffice(services);
    const json = { right, given: true };
    assert.equal((await office('identity')(`/users/${email}/rights`, { method: 'PATCH', json })).status, 200);
  };

/** Registers without confirming the address, under which an admin has booked an appointment. */
async function registerUnconfirmed(services: ThreeServices, email: string): Promise<void> {
  const { book } = await openOffice(services);
  await book({ patientemail: email, doctoremail: people.doctor.email });
  await register(services, { email });
}

/** Registers with the address of a doctor's profile, which an admin created for a doctor who hasn't registered yet. */
async function registerSquatter(services: ThreeServices, email: string): Promise<void> {
  const { createProfile, book } = await openOffice(services);
  await createProfile(email);
  await book({ patientemail: people.otherPatient.email, doctoremail: email });
  await register(services, { email });
}

/** Makes somebody a doctor with a profile and an appointment ahead, and takes the role away again. */
async function demoteDoctor(services: ThreeServices, email: string): Promise<void> {
  const { office, createProfile, book } = await openOffice(services);
  const { _id } = (await (await office('identity')(`/users/${email}`)).json()) as { _id: string };
  const give = async (newRole: string, expected: object): Promise<void> => {
    const answer = await office('identity')(`/update-role/${_id}`, { method: 'PATCH', json: { newRole } });
    assert.equal(answer.status, 200);
    // The profile follows the role.
    const doctors = services.databases.clinic.collection('doctors');
    await waitUntil(async () => (await doctors.countDocuments({ email, ...expected })) === 1);
  };
  await createProfile(email);
  await give('doctor', { accountId: _id });
  await book({ patientemail: people.otherPatient.email, doctoremail: email });
  await give('patient', { suspended: true });
}
