import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Deletion } from '@clinic/svc-identity/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { HistoryEvent } from '@clinic/service-kit';
import type { TestFetch } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { bookingOf, type Newcomer } from './newcomer.ts';
import { keepsLong } from '../support/orderable.ts';

// Deletes a person as the page All Users does: starts it, and waits until every service has done its part.

export let services: ThreeServices;
let dataDir: string;
export let admin: ReturnType<ThreeServices['from']>;
export let doctor: Doctor;
export const today = clinicMoment(new Date(), 'Asia/Dhaka').date;

/** Starts the services before the tests of a file, and stops them after the last. */
export function startForTests(): void {
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'erasure-'));
    services = await startThreeServices({ dataDir, keepAnswersMs: 2_000, messages: 'sending' });
    admin = services.from(await services.signIn(people.admin.email));
    const doctors = await readJson<Doctor[]>(services.from('')('clinic')('/doctors'));
    doctor = doctors.find(({ email }) => email === people.doctor.email) ?? assert.fail('the demo has no doctor');
  });
  after(async () => {
    await services.close();
    await rm(dataDir, { recursive: true });
  });
}

export const post = <T>(to: TestFetch, path: string, json: object): Promise<T> =>
  readJson<T>(to(path, { method: 'POST', json }));

let day = 100;
export async function bookFor(person: Newcomer): Promise<Appointment> {
  day += 1;
  const visit = { date: addDays(today, day), reason: `Dizzy since moving to ${person.street}` };
  return post(person.at('clinic'), '/appoinments', bookingOf(person, doctor, visit));
}
export const orderBody = (person: Newcomer, medicineId: string) => ({
  items: [{ medicineId, quantity: 3 }],
  deliveryAddress: person.street,
  customeremail: person.email,
  customerPhone: person.phone,
});

export async function aMedicine(): Promise<{ medicineId: string; quantity: number }> {
  const medicines = await readJson<Medicine[]>(services.from('')('pharmacy')('/medicine'));
  const { medicine } =
    medicines.find(
      ({ status, medicine: { expiryDate, quantity, prescriptionOnly } }) =>
        !prescriptionOnly && status === 'in stock' && keepsLong(expiryDate) && Number(quantity.$numberInt) >= 100,
    ) ?? assert.fail('nothing in stock');
  return { medicineId: medicine.medicineId, quantity: Number(medicine.quantity.$numberInt) };
}

export const startDeletion = async (email: string): Promise<string> =>
  (await post<{ userId: string }>(admin('identity'), `/users/${email}/erasure`, {})).userId;

/** How far a deletion has got. */
export const deletionOf = (userId: string): Promise<Deletion> =>
  readJson<Deletion>(admin('identity')(`/users/deletions/${userId}`));

/** Waits until a deletion is over. */
export const deletionOver = (userId: string): Promise<Deletion> =>
  waitUntil(async () => {
    const deletion = await deletionOf(userId);
    return deletion.finishedAt !== undefined && deletion;
  });

/** The whole deletion, as the page does it. */
export async function deletePerson(email: string): Promise<string> {
  const userId = await startDeletion(email);
  const { account } = await deletionOver(userId);
  assert.deepEqual(account, { state: 'done', signInAccount: 'deleted' });
  return userId;
}

/** All stored data, including the sign-in accounts. */
export async function everything(): Promise<string> {
  const accounts = await fetch(
    `${services.emulatorUrl}/identitytoolkit.googleapis.com/v1/projects/demo-three-services/accounts:batchGet?maxResults=500`,
    { headers: { Authorization: 'Bearer owner' } },
  );
  return [
    ...(await Promise.all(
      (['identity', 'clinic', 'pharmacy', 'messages'] as const).map((service) => services.dump(service)),
    )),
    await accounts.text(),
  ]
    .join('\n')
    .toLowerCase();
}

/** The person's texts still in a file of the databases or accounts, with the file's name. */
export async function leftInFiles(texts: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // One byte per character, so that bytes that aren't text survive.
    const content = (await readFile(path, 'latin1')).toLowerCase();
    left.push(
      ...texts.filter((text) => content.includes(text.toLowerCase())).map((text) => `${text} in ${entry.name}`),
    );
  }
  return left;
}

/** Waits until the files contain none of the texts. */
export async function filesForget(texts: readonly string[]): Promise<void> {
  await waitUntil(async () => assert.deepEqual(await leftInFiles(texts), []));
}

/** What must never change in the history: that something happened, when, to which record, and by which id. */
export async function whatHappened(): Promise<string[]> {
  const databases = Object.values(services.databases);
  const events = (
    await Promise.all(databases.map((db) => db.collection<HistoryEvent>('events').find().toArray()))
  ).flat();
  return events
    .map(({ _id, at, action, call, actor, record, requestId }) =>
      JSON.stringify([_id, at, action, call, actor?.id, actor?.role, record.type, requestId]),
    )
    .toSorted();
}
