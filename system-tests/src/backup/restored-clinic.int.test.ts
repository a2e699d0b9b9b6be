import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { backUp, makeKey, restore, type Settings } from '@clinic/backup';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { startServer } from '@clinic/mongo-embedded';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { type IndexDescriptionInfo, MongoClient } from 'mongodb';
import { bookingOf, register, type Newcomer } from '../privacy/newcomer.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { broken, initialStock } from './agreement.ts';
import { keepsLong } from '../support/orderable.ts';

// A clinic is backed up while people use it, restored into an empty system, and started again.

const folder = mkdtempSync(join(tmpdir(), 'restored-clinic-'));
const dataOf = (name: string): string => join(folder, name);
let clinic: ThreeServices;
let settings: Settings;
const key = await makeKey();
const encryption = { recipients: [key.recipient] };
const patients: Newcomer[] = [];
let doctor: Doctor;
let medicines: readonly Medicine[];
let stock: ReadonlyMap<string, number>;
const today = clinicMoment(new Date(), 'Asia/Dhaka').date;

before(async () => {
  clinic = await startThreeServices({ dataDir: dataOf('original') });
  settings = { uri: clinic.mongodbUri, accountsDir: join(dataOf('original'), 'auth') };
  for (let count = 0; count < 3; count += 1) patients.push(await register(clinic));
  doctor =
    (await readJson<Doctor[]>(clinic.from('')('clinic')('/doctors'))).find(
      ({ email }) => email === people.doctor.email,
    ) ?? assert.fail('the demo has no doctor');
  medicines = (await readJson<Medicine[]>(clinic.from('')('pharmacy')('/medicine')))
    .filter(
      ({ medicine: { expiryDate, quantity, prescriptionOnly } }) =>
        !prescriptionOnly && keepsLong(expiryDate) && Number(quantity.$numberInt) >= 50,
    )
    .slice(0, 3);
  stock = await initialStock(clinic.databases.pharmacy);
});
after(async () => {
  await clinic.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a request, again while a busy machine has no time for it. */
function send<T>(to: TestFetch, method: string, path: string, json: object): Promise<T> {
  const headers = method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {};
  return readJson<T>(untilServed(() => to(path, { method, json, headers })));
}

/** A patient's loop: book, change the booking, order, cancel an order. @param goesOn - gets how often it did */
async function live(patient: Newcomer, index: number, goesOn: (turns: number) => boolean): Promise<void> {
  const admin = clinic.from(await clinic.signIn(people.admin.email));
  for (let turns = 0; goesOn(turns); turns += 1) {
    const booked = await send<Appointment>(
      patient.at('clinic'),
      'POST',
      '/appoinments',
      bookingOf(patient, doctor, { date: addDays(today, 30 + index * 100 + turns) }),
    );
    await send(turns % 2 === 0 ? patient.at('clinic') : admin('clinic'), 'PATCH', `/update-appoinment/${booked._id}`, {
      newStatus: turns % 2 === 0 ? 'Cancelled' : 'Confirmed',
    });
    const items = medicines.map(({ medicine }) => ({ medicineId: medicine.medicineId, quantity: 1 }));
    for (const { _id } of medicines) await send(admin('pharmacy'), 'PATCH', `/medicine/${_id.$oid}`, { restock: 2 });
    const order = await send<Order>(patient.at('pharmacy'), 'POST', '/orderMedi', {
      items,
      deliveryAddress: patient.street,
      customeremail: patient.email,
      customerPhone: patient.phone,
    });
    if (turns % 3 === 0)
      await send(patient.at('pharmacy'), 'PATCH', `/orderMedi/${order._id}`, { newStatus: 'Cancelled' });
  }
}

/** Restores into an empty data directory and checks the databases. */
async function restored<T>(file: string, name: string, look: (client: MongoClient) => Promise<T>): Promise<T> {
  const engine = await startServer({ port: 0, dataDir: join(dataOf(name), 'mongo') });
  const client = new MongoClient(engine.uri);
  try {
    await restore({
      settings: { uri: engine.uri, accountsDir: join(dataOf(name), 'auth') },
      source: file,
      identities: [key.identity],
    });
    return await look(client);
  } finally {
    await client.close();
    await engine.close();
  }
}

/** What is stored in a collection, byte for byte. */
interface Content {
  readonly indexes: readonly IndexDescriptionInfo[];
  readonly documents: readonly string[];
}

async function contentOf(client: MongoClient): Promise<Record<string, Content>> {
  const content: Record<string, Content> = {};
  // Now and then a service stores how far it has read its history, and that it holds personal data.
  const isProgress = (document: string): boolean => /derived-fields|lastSeenAt/.test(document);
  for (const db of ['identity', 'clinic', 'pharmacy']) {
    for (const { name } of await client.db(db).listCollections({}, { nameOnly: true }).toArray()) {
      const collection = client.db(db).collection(name);
      const documents = (await collection.find({}, { raw: true }).sort({ _id: 1 }).toArray()) as unknown as Buffer[];
      // Those that purge are built last.
      const indexes = (await collection.listIndexes().toArray()).toSorted((one, other) =>
        one.name < other.name ? -1 : 1,
      );
      content[`${db}.${name}`] = {
        indexes,
        documents: documents.map((bytes) => Buffer.from(bytes).toString('latin1')).filter((one) => !isProgress(one)),
      };
    }
  }
  return content;
}

test(
  'backups made while people book, order, restock and cancel are each of one moment',
  { timeout: 480_000 },
  async () => {
    let busy = true;
    // Nobody goes on after a failure.
    await using visitors = new AsyncDisposableStack();
    const made = patients.map(() => 0);
    const lives = patients.map((patient, index) =>
      live(patient, index, (turns) => {
        made[index] = turns;
        return busy;
      }),
    );
    visitors.defer(async () => {
      busy = false;
      await Promise.allSettled(lives);
    });
    const appointments = clinic.databases.clinic.collection('appointments');
    const files: { file: string; atLeast: number; atMost: number }[] = [];
    const written: number[] = [];
    for (let copy = 0; copy < 2; copy += 1) {
      await Promise.race([...lives, waitUntil(() => made.every((turns) => turns > copy), 300_000)]);
      const atLeast = await appointments.countDocuments();
      const { file, manifest } = await backUp({
        settings,
        target: join(folder, `busy-${copy}.backup.age`),
        encryption,
      });
      files.push({ file: file ?? '', atLeast, atMost: await appointments.countDocuments() });
      written.push(manifest.collections.find(({ name }) => name === 'appointments')?.count ?? 0);
    }
    busy = false;
    await Promise.all(lives);
    for (const [copy, { file, atLeast, atMost }] of files.entries()) {
      assert.ok(
        (written[copy] ?? 0) >= atLeast && (written[copy] ?? 0) <= atMost,
        `${written[copy]} appointments, ${atLeast} before and ${atMost} after`,
      );
      assert.deepEqual(await restored(file, `busy-${copy}`, (client) => broken(client, stock)), []);
    }
  },
);

test(
  'a restored clinic is identical byte for byte, and its people sign in and find their data',
  { timeout: 300_000 },
  async () => {
    const [patient] = patients;
    assert.ok(patient);
    const date = addDays(today, 3);
    const booked = await send<Appointment>(
      patient.at('clinic'),
      'POST',
      '/appoinments',
      bookingOf(patient, doctor, { date }),
    );
    const { file, manifest } = await backUp({ settings, target: `${folder}/`, encryption });
    // The file reveals nothing about who uses the clinic.
    const bytes = await readFile(file ?? '', 'latin1');
    const names = [
      patient.email,
      patient.firstName,
      patient.lastName,
      patient.street,
      doctor.email,
      doctor.name,
      'patientEmail',
      'appointments',
    ];
    assert.deepEqual(
      names.filter((name) => bytes.includes(name)),
      [],
    );
    const [copy, original] = [
      await restored(file ?? '', 'copy', contentOf),
      await contentOf(clinic.databases.clinic.client),
    ];
    assert.deepEqual(Object.keys(copy).toSorted(), Object.keys(original).toSorted());
    for (const [name, content] of Object.entries(original)) {
      const { indexes = [], documents = [] } = copy[name] ?? {};
      // What expires may be gone from the original by now.
      const expires = indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
      const kept = expires ? documents.filter((one) => content.documents.includes(one)) : documents;
      assert.deepEqual({ indexes, documents: kept }, content, name);
    }
    assert.equal(manifest.accounts.length, 1);

    // The session key is new: backups hold no keys.
    const again = await startThreeServices({ dataDir: dataOf('copy') });
    try {
      assert.equal((await again.from(patient.cookie)('clinic')(`/appoinments?email=${patient.email}`)).status, 401);
      // People signed in at the time of the backup stay signed in: the ids that browsers renew with are in the
      // database.
      const renewed = await testFetch(again.urls.identity, { Cookie: patient.cookie })('/jwt/refresh', {
        method: 'POST',
        json: {},
      });
      assert.ok(renewed.ok, `renewing answered ${renewed.status}: ${await renewed.text()}`);
      const at = again.from(await again.signIn(patient.email));
      const own = await readJson<Appointment[]>(at('clinic')(`/appoinments?email=${patient.email}`));
      assert.ok(own.some(({ _id, date: on, status }) => _id === booked._id && on === date && status === 'Pending'));
      // The clinic continues where it was: the slot is taken, and the history grows.
      const other = await register(again);
      const second = await other.at('clinic')('/appoinments', {
        method: 'POST',
        json: bookingOf(other, doctor, { date }),
      });
      assert.equal(second.status, 409);
      await send(at('clinic'), 'PATCH', `/update-appoinment/${booked._id}`, { newStatus: 'Cancelled' });
    } finally {
      await again.close();
    }
  },
);
