import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, type User } from '@clinic/contracts';
import type { Deletion } from '@clinic/svc-identity/contract/schemas';
import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import type { AccountHolder, ExportedThing } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { assertCopied, assertErased } from '@clinic/service-kit/testing';
import { type Document, ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import {
  awaitedDoctorDeleted,
  clinicRecords,
  doctorDeleted,
  offeredDoctorDeleted,
  patientDeleted,
} from '../../../svc-clinic/src/personal-data/personal-records.ts';
import type { OfferRecord, WaitlistRecord } from '../../../svc-clinic/src/waitlist/waitlist-record.ts';
import type { InvitationRecord } from '../../../svc-identity/src/invitations/invitation-record.ts';
import {
  identityRecords,
  inviterDeleted,
  sessionOwnerDeleted,
} from '../../../svc-identity/src/personal-data/personal-records.ts';
import type { SessionRecord } from '../../../svc-identity/src/sessions/session-record.ts';
import type { MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import { messagesRecords } from '../../../svc-messages/src/personal-data/personal-records.ts';
import type { MedicineRecord } from '../../../svc-pharmacy/src/medicines/medicine-record.ts';
import type { MovementRecord } from '../../../svc-pharmacy/src/medicines/movement-record.ts';
import type { OrderRecord } from '../../../svc-pharmacy/src/orders/order-record.ts';
import {
  customerDeleted,
  moverDeleted,
  pharmacistDeleted,
  pharmacyRecords,
} from '../../../svc-pharmacy/src/personal-data/personal-records.ts';
import type { TestedService } from '../support/every-call.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { appointment, calendarFeed, offer, waiting } from './filled-records/clinic.ts';
import { event } from './filled-records/history.ts';
import { invitation, session, user } from './filled-records/identity.ts';
import { message, preferences, undeliverable } from './filled-records/messages.ts';
import { medicine, movement, stockRequest } from './filled-records/pharmacy.ts';
import { mark, other, type Person, today } from './filled-records/values.ts';
import { register } from './newcomer.ts';
import { storeOwn } from './store-own.ts';

// Records with a value in every field, stored as they are, so that a field no screen fills yet is tested, too. A new
// field of a record first doesn't compile here and in the service's personal-records.ts; then this test checks what was
// declared.

let services: ThreeServices;
let admin: ReturnType<ThreeServices['from']>;
before(async () => {
  services = await startThreeServices({ messages: 'idle' });
  admin = services.from(await services.signIn(people.admin.email));
});
after(() => services.close());

async function newZeb(): Promise<Person> {
  const { email, at } = await register(services);
  const { _id: id } = await readJson<User>(at('identity')(`/users/${email}`));
  return { email, id };
}

const collection = (service: TestedService, name: string) => services.databases[service].collection<Document>(name);
const stored = (service: TestedService, name: string, id: ObjectId): Promise<Document | null> =>
  collection(service, name).findOne({ _id: id });

const copyOf = async ({ email }: Person): Promise<ExportedThing[]> =>
  (
    await Promise.all([
      readJson<ExportedThing[]>(admin('identity')(`/users/${email}/export`)),
      readJson<ExportedThing[]>(admin('clinic')(`/appoinments/export?email=${email}`)),
      readJson<ExportedThing[]>(admin('pharmacy')(`/orderMedi/export?email=${email}`)),
      readJson<ExportedThing[]>(admin('messages')(`/messages/export?email=${email}`)),
    ])
  ).flat();

async function deletePerson({ email, id }: Person): Promise<void> {
  await readJson(admin('identity')(`/users/${email}`, { method: 'DELETE' }));
  await waitUntil(async () => {
    const { finishedAt } = await readJson<Deletion>(admin('identity')(`/users/deletions/${id}`));
    return finishedAt !== undefined;
  });
}

const tested = ['identity', 'clinic', 'pharmacy', 'messages'] as const;
/** The tables that exports and deletions go by. */
const declared = {
  identity: identityRecords,
  clinic: clinicRecords,
  pharmacy: pharmacyRecords,
  messages: messagesRecords,
} as const;

/** What the tables still find of a person, by service and collection. */
async function foundOf({ email, id }: Person): Promise<{ readonly where: string; readonly text: string }[]> {
  const person: AccountHolder = { id, email, addresses: [{ email, since: new Date(0), confirmed: true, others: [] }] };
  const found: { where: string; text: string }[] = [];
  for (const service of tested)
    for (const [name, { whose }] of Object.entries(declared[service] as Readonly<Record<string, AnyRecord>>))
      for (const [role, filters] of Object.entries(whose))
        for (const filter of filters(person))
          for (const record of await collection(service, name).find(filter).toArray())
            found.push({ where: `${service} ${name} ${role}`, text: JSON.stringify(record) });
  return found;
}
type AnyRecord = { readonly whose: Readonly<Record<string, (person: AccountHolder) => readonly Document[]>> };

test('a deletion does with every field of every record what its service declares', { timeout: 300_000 }, async () => {
  const zeb = await newZeb();
  const asPatient = appointment({ patient: zeb, doctor: other });
  const asDoctor = { ...appointment({ patient: other, doctor: zeb }, 'others'), date: addDays(today, 41) };
  await collection('clinic', 'appointments').insertMany([asPatient, asDoctor]);
  const { waits, offered, theirOrder, doctorProfile, pharmacistProfile } = await storeOwn(services.databases, zeb);
  const awaited = waiting({ patient: other, doctor: zeb }, 'others');
  const offeredByZeb = offer({ patient: other, doctor: zeb }, awaited._id);
  await collection('clinic', 'waitlist').insertOne({ ...awaited });
  await collection('clinic', 'waitlistOffers').insertOne({ ...offeredByZeb });
  const theirMedicine = medicine(zeb);
  await collection('pharmacy', 'medicines').insertOne({ ...theirMedicine });
  const theirMovement = movement(zeb);
  await collection('pharmacy', 'movements').insertOne({ ...theirMovement });
  const theirSession = session(zeb);
  await collection('identity', 'sessions').insertOne({ ...theirSession });
  const sent = invitation(other.email, zeb);
  const received = { ...invitation(zeb.email, other), _id: new ObjectId() };
  await collection('identity', 'invitations').insertMany([sent, received]);
  const theirUser = user((await collection('identity', 'users').findOne({ email: zeb.email })) ?? assert.fail());
  const { erasingSince: _later, ...beforeDeletion } = theirUser;
  await collection('identity', 'users').replaceOne({ email: zeb.email }, { ...beforeDeletion, disabled: false });
  await collection('clinic', 'events').insertMany([
    // A later change that says nothing of the patient's address: only the appointment knows whose it is.
    event(zeb, 'appointment', asPatient._id.toHexString(), { ...asPatient, patientEmail: undefined }),
    event(zeb, 'doctor', doctorProfile._id.toHexString(), doctorProfile),
    event(zeb, 'pharmacist', pharmacistProfile._id.toHexString(), pharmacistProfile),
  ]);
  await collection('pharmacy', 'events').insertOne(
    event(zeb, 'order', theirOrder._id.toHexString(), { ...theirOrder, customerEmail: undefined }),
  );
  await collection('identity', 'events').insertOne(event(zeb, 'user', zeb.id, { ...theirUser, _id: undefined }));

  const before = new Set((await foundOf(zeb)).map(({ where }) => where));
  const rows = Object.entries(declared).flatMap(([service, records]) =>
    Object.entries(records as Readonly<Record<string, AnyRecord>>).flatMap(([name, { whose }]) =>
      Object.keys(whose).map((role) => `${service} ${name} ${role}`),
    ),
  );
  assert.deepEqual(
    rows.filter((row) => !before.has(row)),
    [],
    'every row of the tables finds its records',
  );

  await deletePerson(zeb);

  for (const { where, text } of await foundOf(zeb))
    assert.ok(!text.includes(zeb.email) && !/zqx-(?!others-)/.test(text), `${where} still names the person: ${text}`);
  const left = await stored('clinic', 'appointments', asPatient._id);
  const found = ['accounts', 'people', 'words'] as const;
  assertErased<AppointmentRecord>(asPatient, left, patientDeleted, found);
  assert.deepEqual([left?.['accounts'], left?.['people']], [[other.id], [erasedEmail(zeb.id), other.email]]);
  assert.deepEqual([left?.['patientName'], left?.['patientEmail']], [erasedName, erasedEmail(zeb.id)]);
  assertErased<AppointmentRecord>(asDoctor, await stored('clinic', 'appointments', asDoctor._id), doctorDeleted, found);
  assertErased<OrderRecord>(theirOrder, await stored('pharmacy', 'orders', theirOrder._id), customerDeleted, [
    'status',
    'erasedAt',
  ]);
  assertErased<MedicineRecord>(
    theirMedicine,
    await stored('pharmacy', 'medicines', theirMedicine._id),
    pharmacistDeleted,
    // The cancelled order returns its stock.
    ['quantity', 'booked', 'moves'],
  );
  assertErased<MovementRecord>(theirMovement, await stored('pharmacy', 'movements', theirMovement._id), moverDeleted);
  assertErased<SessionRecord>(
    theirSession,
    await stored('identity', 'sessions', theirSession._id),
    sessionOwnerDeleted,
    ['endedAt'],
  );
  assertErased<InvitationRecord>(sent, await stored('identity', 'invitations', sent._id), inviterDeleted);
  assertErased<WaitlistRecord>(awaited, await stored('clinic', 'waitlist', awaited._id), awaitedDoctorDeleted);
  assertErased<OfferRecord>(
    offeredByZeb,
    await stored('clinic', 'waitlistOffers', offeredByZeb._id),
    offeredDoctorDeleted,
  );
  for (const [service, name, id] of [
    ['clinic', 'waitlist', waits._id],
    ['clinic', 'waitlistOffers', offered._id],
    ['clinic', 'doctors', doctorProfile._id],
    ['clinic', 'pharmacists', pharmacistProfile._id],
    ['identity', 'invitations', received._id],
    ['identity', 'users', theirUser._id],
    ['pharmacy', 'stockRequests', stockRequest(zeb)._id],
  ] as const)
    assert.equal(await stored(service, name, id), null, `${name}: the record is deleted`);

  assert.equal(await services.databases.clinic.collection('calendarFeeds').countDocuments(), 0);
  for (const name of ['messages', 'preferences', 'undeliverable', 'mailbox'])
    assert.equal(await services.databases.messages.collection(name).countDocuments(), 0, name);

  const everything = (await Promise.all(tested.map((service) => services.dump(service)))).join('\n');
  const marks = new Set(everything.match(/zqx-[a-z-]+/g));
  // The doctor's name stays in the patient's appointment, and other patients' data in theirs.
  assert.deepEqual(
    [...marks].filter((one) => !one.startsWith(mark('others-'))),
    [mark('own-doctor-name')],
  );
  assert.ok(!everything.includes(zeb.email));
  const others = await stored('clinic', 'appointments', asDoctor._id);
  assert.equal(others?.['address'], mark('others-address'));
});

test('the copy of a person’s data has every field that isn’t declared internal', { timeout: 300_000 }, async () => {
  const zeb = await newZeb();
  const theirs = appointment({ patient: zeb, doctor: other });
  await collection('clinic', 'appointments').insertOne({ ...theirs, date: addDays(today, 42) });
  const { waits, offered, theirOrder, doctorProfile, pharmacistProfile } = await storeOwn(services.databases, zeb);
  const theirSession = { ...session(zeb), refreshHash: 'hash-11', nextHash: 'hash-12' };
  await collection('identity', 'sessions').insertOne({ ...theirSession });
  await collection('identity', 'invitations').insertOne({ ...invitation(zeb.email, other), tokenHash: 'hash-13' });
  const theirUser = user((await collection('identity', 'users').findOne({ email: zeb.email })) ?? assert.fail());
  await collection('identity', 'users').replaceOne({ email: zeb.email }, { ...theirUser });

  const things = await copyOf(zeb);
  const data = (kind: string) => things.filter((thing) => thing.kind === kind).map((thing) => thing.data);
  assertCopied(theirUser, data('user')[0], identityRecords.users.inCopy, ['secondFactor']);
  assert.equal(data('user')[0]?.['passwordUnproven'], true);
  assertCopied(
    theirSession,
    data('session').find(({ userAgent }) => userAgent === theirSession.userAgent),
    identityRecords.sessions.inCopy,
  );
  assertCopied(invitation(zeb.email, other), data('invitation')[0], identityRecords.invitations.inCopy);
  assertCopied({ ...theirs, date: addDays(today, 42) }, data('appointment')[0], clinicRecords.appointments.inCopy, [
    'duration',
  ]);
  assert.equal(data('appointment')[0]?.['minutes'], 30);
  assertCopied(waits, data('place on the waitlist')[0], clinicRecords.waitlist.inCopy);
  assertCopied(offered, data('offer from the waitlist')[0], clinicRecords.waitlistOffers.inCopy);
  assertCopied(doctorProfile, data('doctor profile')[0], clinicRecords.doctors.inCopy);
  assertCopied(pharmacistProfile, data('pharmacist profile')[0], clinicRecords.pharmacists.inCopy);
  assertCopied(calendarFeed(zeb), data('calendar subscription')[0], clinicRecords.calendarFeeds.inCopy);
  assertCopied(theirOrder, data('order')[0], pharmacyRecords.orders.inCopy);
  assertCopied(stockRequest(zeb), data('stock request')[0], pharmacyRecords.stockRequests.inCopy);
  const { data: said, ...theirMessage } = message(zeb);
  assertCopied<MessageRecord>(
    { ...theirMessage, data: { order: said['order'] ?? {} } },
    data('message')[0],
    messagesRecords.messages.inCopy,
    ['_id', 'dueAt', 'createdAt', 'sentAt'],
  );
  assertCopied(preferences(zeb), data('message preferences')[0], messagesRecords.preferences.inCopy);
  assertCopied(undeliverable(zeb), data('undeliverable address')[0], messagesRecords.undeliverable.inCopy);
  const all = JSON.stringify(things);
  for (const secret of ['secret', 'salt', 'recovery', 'draft', 'message-secret'].map(mark))
    assert.ok(!all.includes(secret), `${secret} is in the copy`);
});

test('every collection of the services is declared', async () => {
  // What the kit keeps in every service; it removes people from it, or it contains none.
  const ofTheKit =
    /^(?:contacts|erasures|events|idempotency|knownAccounts|locks|looks|markers|outbox|persons|schemaChanges)$/;
  // Hashes, counts and locks.
  const withoutPeople = {
    identity: [
      'accountFeed',
      'counts',
      'dataHolders',
      'deletions',
      'demoMails',
      'deployments',
      'erased',
      'gateways',
      'guards',
      'releaseFigures',
      'userTallies',
    ],
    clinic: ['counts'],
    pharmacy: [],
    // Switches of the clinic, ids of links that were used, and events with ids and times only.
    messages: ['counts', 'kinds', 'usedLinks', 'webhookDeliveries', 'webhooks'],
  };
  for (const service of tested) {
    const names = (await services.databases[service].listCollections().toArray()).map(({ name }) => name);
    const known = new Set<string>([...withoutPeople[service], ...Object.keys(declared[service])]);
    assert.deepEqual(
      names.filter((name) => !known.has(name) && !ofTheKit.test(name)),
      [],
      `${service}: declare what a deletion does with it in personal-records.ts`,
    );
  }
});
