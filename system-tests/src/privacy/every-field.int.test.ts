import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment, type CallResponse, type User } from '@clinic/contracts';
import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import type { ExportedThing, HistoryEvent } from '@clinic/service-kit';
import { assertCopied, assertErased, type Filled } from '@clinic/service-kit/testing';
import { ObjectId, type Document } from 'mongodb';
import type { AppointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import type { CalendarFeedRecord } from '../../../svc-clinic/src/feeds/calendar-feed-record.ts';
import type { DoctorRecord } from '../../../svc-clinic/src/doctors/doctor-record.ts';
import {
  awaitedDoctorDeleted,
  clinicRecords,
  doctorDeleted,
  offeredDoctorDeleted,
  patientDeleted,
} from '../../../svc-clinic/src/personal-data/personal-records.ts';
import type { PharmacistRecord } from '../../../svc-clinic/src/pharmacists/pharmacist-record.ts';
import type { OfferRecord, WaitlistRecord } from '../../../svc-clinic/src/waitlist/waitlist-record.ts';
import type { InvitationRecord } from '../../../svc-identity/src/invitations/invitation-record.ts';
import {
  identityRecords,
  inviterDeleted,
  sessionOwnerDeleted,
} from '../../../svc-identity/src/personal-data/personal-records.ts';
import type { SessionRecord } from '../../../svc-identity/src/sessions/session-record.ts';
import type { UserRecord } from '../../../svc-identity/src/users/user-record.ts';
import type { UndeliverableRecord } from '../../../svc-messages/src/delivery/undeliverable.ts';
import type { MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import { messagesRecords } from '../../../svc-messages/src/personal-data/personal-records.ts';
import type { PreferencesRecord } from '../../../svc-messages/src/preferences/preferences-record.ts';
import type { StockRequestRecord } from '../../../svc-pharmacy/src/back-in-stock/stock-request-record.ts';
import type { MedicineRecord } from '../../../svc-pharmacy/src/medicines/medicine-record.ts';
import type { OrderRecord } from '../../../svc-pharmacy/src/orders/order-record.ts';
import {
  customerDeleted,
  pharmacistDeleted,
  pharmacyRecords,
} from '../../../svc-pharmacy/src/personal-data/personal-records.ts';
import type { TestedService } from '../support/every-call.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { register } from './newcomer.ts';

// Records with a value in every field, stored as they are, so that a field no screen fills yet is tested, too. A new field
// of a record first doesn't compile here and in the service's personal-records.ts; then this test checks what was declared.

let services: ThreeServices;
let admin: ReturnType<ThreeServices['from']>;
before(async () => {
  services = await startThreeServices({ messages: 'idle' });
  admin = services.from(await services.signIn(people.admin.email));
});
after(() => services.close());

async function read<T>(answering: Promise<Response>): Promise<T> {
  const answer = await answering;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

interface Zeb {
  readonly email: string;
  readonly id: string;
  readonly at: Awaited<ReturnType<typeof register>>['at'];
}
async function newZeb(): Promise<Zeb> {
  const { email, at } = await register(services);
  const { _id: id } = await read<User>(at('identity')(`/users/${email}`));
  return { email, id, at };
}

const other = { email: 'other.person@nowhere.example', id: 'a'.repeat(24) };
const long = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const today = clinicMoment(new Date(), 'Asia/Dhaka').date;

/** Text that is nowhere else in the databases. */
const mark = (what: string): string => `zqx-${what}`;

function appointment(whose: { patient: typeof other; doctor: typeof other }, tag = 'own'): Filled<AppointmentRecord> {
  return {
    _id: new ObjectId(),
    patientName: mark(`${tag}-patient-name`),
    patientEmail: whose.patient.email,
    doctorName: mark(`${tag}-doctor-name`),
    doctorEmail: whose.doctor.email,
    age: 78,
    address: mark(`${tag}-address`),
    phone: mark(`${tag}-phone`),
    reason: mark(`${tag}-reason`),
    date: addDays(today, 40),
    time: '10:00',
    status: 'Cancelled',
    patientId: whose.patient.id,
    doctorAccountId: whose.doctor.id,
    accounts: [whose.patient.id, whose.doctor.id],
    people: [whose.patient.email, whose.doctor.email],
    words: [mark(`${tag}-patient-name`), mark(`${tag}-doctor-name`), whose.patient.email, whose.doctor.email],
    bookedAt: long(-9),
    changedAt: long(-8),
    sequence: 3,
    movedFrom: { date: addDays(today, 39), time: '09:00' },
    keptAt: { date: addDays(today, 40), time: '10:00' },
    series: { id: new ObjectId(), number: 1, of: 2 },
  };
}

function waiting(whose: { patient: typeof other; doctor: typeof other }, tag = 'own'): Filled<WaitlistRecord> {
  return {
    _id: new ObjectId(),
    patientId: whose.patient.id,
    patientName: mark(`${tag}-waiting-name`),
    patientEmail: whose.patient.email,
    confirmed: true,
    age: 77,
    address: mark(`${tag}-waiting-address`),
    phone: mark(`${tag}-waiting-phone`),
    reason: mark(`${tag}-waiting-reason`),
    target: `doctor ${whose.doctor.email}`,
    about: `doctor ${whose.doctor.email}`,
    doctorEmail: whose.doctor.email,
    doctorName: mark(`${tag}-doctor-name`),
    specialty: 'Cardiology',
    moving: new ObjectId(),
    from: addDays(today, 1),
    until: addDays(today, 9),
    parts: ['morning'],
    status: 'left',
    joinedAt: long(-9),
    endedAt: long(-8),
  };
}

function offer(whose: { patient: typeof other; doctor: typeof other }, entryId: ObjectId): Filled<OfferRecord> {
  return {
    _id: new ObjectId(),
    entryId,
    patientId: whose.patient.id,
    doctorEmail: whose.doctor.email,
    doctorName: mark('own-doctor-name'),
    date: addDays(today, 5),
    time: '10:00',
    place: 'Level 3',
    moves: { date: addDays(today, 6), time: '10:00' },
    status: 'missed',
    madeAt: long(-8.2),
    until: long(-8.1),
    settledAt: long(-8.1),
  };
}

const doctor = ({ email, id }: Zeb): Filled<DoctorRecord> => ({
  _id: new ObjectId(),
  name: mark('profile-name'),
  email,
  qualification: 'MD',
  education: 'A college',
  specialization: 'Cardiology',
  experience: 5,
  location: mark('profile-location'),
  image: mark('profile-image'),
  isAvailable: true,
  availableTimes: ['09:00'],
  hours: {
    periods: [
      {
        from: addDays(today, -300),
        until: addDays(today, 300),
        slotMinutes: 30,
        bufferMinutes: 0,
        hours: [{ day: 'Monday', from: '09:00', until: '09:30', place: mark('profile-place') }],
      },
    ],
    exceptions: [],
    listedTimes: ['09:00'],
  },
  daysOff: [addDays(today, 2)],
  rating: 4,
  nameKey: mark('profile-name'),
  specialtyKey: 'cardiology',
  searchText: mark('profile-name'),
  searchParts: [mark('profile-name')],
  createdAt: long(-100),
  accountId: id,
  suspended: true,
  bookedWithoutAccount: 1,
});

const pharmacist = ({ email, id }: Zeb): Filled<PharmacistRecord> => ({
  _id: new ObjectId(),
  name: mark('profile-name'),
  email,
  phone: mark('profile-phone'),
  status: 'Active',
  qualification: 'BPharm',
  specialization: 'Clinical',
  experience: 5,
  nameKey: mark('profile-name'),
  searchText: mark('profile-name'),
  searchParts: [mark('profile-name')],
  createdAt: long(-100),
  accountId: id,
});

const calendarFeed = ({ email, id }: Zeb): Filled<CalendarFeedRecord> => ({
  _id: id,
  email,
  secretHash: mark('calendar-hash'),
  createdAt: long(-1),
  reads: { since: long(-1), count: 3 },
});
/** The services' own records have object ids; this one has the account's. */
const storeFeed = (feed: Filled<CalendarFeedRecord>) =>
  services.databases.clinic.collection<CalendarFeedRecord>('calendarFeeds').insertOne({ ...feed });

const order = ({ email, id }: Zeb): Filled<OrderRecord> => ({
  _id: new ObjectId(),
  number: 'ABCDEF',
  items: [
    {
      medicineId: 'MED-9999',
      name: 'Napa',
      manufacturer: 'Beximco',
      quantity: 2,
      unit: 'box',
      priceMinor: 150,
      expiryDate: '2030-01-01',
    },
  ],
  itemKeys: ['napa'],
  orderDate: long(-2),
  // Pending orders show `heldUntil`; the copy is made before the deletion cancels it.
  status: 'pending',
  deliveryAddress: mark('order-address'),
  customerId: id,
  customerEmail: email,
  customerPhone: mark('order-phone'),
  heldUntil: long(3),
  unusual: true,
});

const medicine = ({ email }: Zeb): Filled<MedicineRecord> => ({
  _id: new ObjectId(),
  medicineId: 'MED-9999',
  name: 'Napa',
  nameKey: 'napa',
  nameParts: ['napa'],
  manufacturer: 'Beximco',
  quantity: 500,
  unit: 'box',
  expiryDate: '2030-01-01',
  priceMinor: 150,
  category: 'Pain relief',
  maxPerCustomer: 4,
  status: 'in stock',
  pharmacistEmail: email,
  addedDate: '2026-01-01',
  asks: 2,
});

const stockRequest = ({ email, id }: Zeb): Filled<StockRequestRecord> => ({
  _id: new ObjectId('c'.repeat(24)),
  medicine: new ObjectId('d'.repeat(24)),
  accountId: id,
  email,
  askedAt: new Date('2026-11-01T10:00:00Z'),
});

const session = ({ id }: Zeb): Filled<SessionRecord> => ({
  _id: new ObjectId(),
  userId: new ObjectId(id),
  refreshHash: 'hash-1',
  nextHash: 'hash-2',
  nextIssuedAt: long(-2),
  spentHashes: ['hash-3'],
  rotatedAt: long(-2),
  createdAt: long(-3),
  lastUsedAt: long(-2),
  expiresAt: long(20),
  idleUntil: long(5),
  provenAt: long(-3),
  userAgent: mark('user-agent'),
  address: mark('network-address'),
  endedAt: long(-0.5),
  replaced: true,
  endedEverywhere: true,
});

const invitation = (to: string, by: { readonly id: string; readonly email: string }): Filled<InvitationRecord> => ({
  _id: new ObjectId(),
  email: to,
  role: 'doctor',
  profile: {
    name: 'Somebody',
    qualification: 'MD',
    specialization: 'Cardiology',
    experience: 5,
    location: 'Level 3',
    availableTimes: ['09:00'],
  },
  tokenHash: `hash-${to}`,
  state: 'revoked',
  invitedAt: long(-3),
  expiresAt: long(3),
  invitedBy: by,
  acceptedBy: 'b'.repeat(24),
});

/** A user with a value in every field; the ones that decide who somebody is come from the stored user. */
function user(stored: Document): Filled<UserRecord> {
  const { _id, email, uid, role, version, createdAt, registered } = stored as UserRecord;
  return {
    _id,
    email,
    uid: uid ?? '',
    role,
    version,
    createdAt,
    registered,
    firstName: mark('first-name'),
    lastName: mark('last-name'),
    phone: mark('phone'),
    dateOfBirth: '1947-03-01',
    address: mark('address'),
    staff: true,
    emailVerified: true,
    profileNeeded: false,
    passwordUnproven: true,
    linkedProviders: ['google.com'],
    knownDevices: [mark('device')],
    secondFactor: {
      secret: mark('secret'),
      since: long(-4),
      lastStep: 5,
      recoverySalt: mark('salt'),
      recoveryHashes: [mark('recovery')],
    },
    secondFactorDraft: { secret: mark('draft'), since: long(-4) },
    staffProfile: { ...invitation('', { id: '', email: '' }).profile, name: mark('staff-name'), role: 'doctor' },
    disabled: true,
    erasingSince: long(-0.1),
    sessionsEndedAt: long(-1),
    versionChangedAt: long(-1),
    lastSignInAt: long(-1),
    sortName: mark('first-name'),
    words: [mark('first-name')],
  };
}

function message({ email, id }: Pick<Zeb, 'email' | 'id'>): Filled<MessageRecord> {
  const _id = new ObjectId();
  return {
    _id,
    key: mark('message-key'),
    kind: 'order-placed',
    to: { account: id, email, name: mark('message-name') },
    data: { order: { number: mark('message-data') }, link: mark('message-secret') },
    status: 'failed',
    reason: 'bounced',
    lane: 0,
    dueAt: long(-2),
    expiresAt: long(1),
    nextAttemptAt: long(-2),
    attempts: 2,
    lease: 'a',
    messageId: `<${_id.toHexString()}@clinic.example>`,
    visit: mark('message-visit'),
    createdAt: long(-3),
    sentAt: long(-1),
    language: mark('message-language'),
    endedAt: long(-1),
    lastError: mark('message-error'),
  };
}

const preferences = ({ id, email }: Pick<Zeb, 'id' | 'email'>): Filled<PreferencesRecord> => ({
  _id: id,
  email,
  off: [mark('preferences-off')],
  quietFrom: '20:00',
  quietUntil: '09:00',
  timeZone: mark('preferences-zone'),
  language: mark('preferences-language'),
  changedAt: long(-2),
});

const undeliverable = ({ email }: Pick<Zeb, 'email'>): Filled<UndeliverableRecord> => ({
  _id: email,
  at: long(-2),
  why: 'complained',
});

async function storeMessages(zeb: Zeb): Promise<void> {
  await services.databases.messages.collection<Filled<MessageRecord>>('messages').insertOne(message(zeb));
  await services.databases.messages.collection<Filled<PreferencesRecord>>('preferences').insertOne(preferences(zeb));
  await services.databases.messages
    .collection<Filled<UndeliverableRecord>>('undeliverable')
    .insertOne(undeliverable(zeb));
}

const collection = (service: TestedService, name: string) => services.databases[service].collection<Document>(name);
const stored = (service: TestedService, name: string, id: ObjectId): Promise<Document | null> =>
  collection(service, name).findOne({ _id: id });

const copyOf = async ({ email }: Zeb): Promise<ExportedThing[]> =>
  (
    await Promise.all([
      read<ExportedThing[]>(admin('identity')(`/users/${email}/export`)),
      read<ExportedThing[]>(admin('clinic')(`/appoinments/export?email=${email}`)),
      read<ExportedThing[]>(admin('pharmacy')(`/orderMedi/export?email=${email}`)),
      read<ExportedThing[]>(admin('messages')(`/messages/export?email=${email}`)),
    ])
  ).flat();

async function deletePerson({ email, id: userId }: Zeb): Promise<void> {
  await read(admin('identity')(`/users/${email}/erasure`, { method: 'POST', json: {} }));
  const erase = (service: TestedService, path: string) =>
    read<CallResponse<'eraseClinicData'>>(admin(service)(path, { method: 'POST', json: { email, userId } }));
  assert.equal((await erase('clinic', '/appoinments/erasure')).done, true);
  assert.equal((await erase('pharmacy', '/orderMedi/erasure')).done, true);
  assert.equal((await erase('messages', '/messages/erasure')).done, true);
  await read(admin('identity')(`/users/${email}`, { method: 'DELETE' }));
}

/** An entry of the history about a record, with all its fields, and one that no service has declared. */
function event(zeb: Zeb, type: string, id: string, fields: object): HistoryEvent {
  const plain = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
  return {
    at: long(-2),
    call: 'seed',
    requestId: 'test',
    record: { type, id },
    subject: zeb.email,
    concerns: [zeb.email],
    accounts: [zeb.id],
    people: [zeb.email],
    action: 'changed',
    before: null,
    after: { ...plain, nobodyDeclaredThis: mark('undeclared') },
  };
}

test('a deletion does with every field of every record what its service declares', { timeout: 120_000 }, async () => {
  const zeb = await newZeb();
  const asPatient = appointment({ patient: zeb, doctor: other });
  const asDoctor = { ...appointment({ patient: other, doctor: zeb }, 'others'), date: addDays(today, 41) };
  const doctorProfile = doctor(zeb);
  const pharmacistProfile = pharmacist(zeb);
  await collection('clinic', 'appointments').insertMany([asPatient, asDoctor]);
  const waits = waiting({ patient: zeb, doctor: other });
  const awaited = waiting({ patient: other, doctor: zeb }, 'others');
  const offered = offer({ patient: zeb, doctor: other }, waits._id);
  const offeredByZeb = offer({ patient: other, doctor: zeb }, awaited._id);
  await collection('clinic', 'waitlist').insertMany([{ ...waits }, { ...awaited }]);
  await collection('clinic', 'waitlistOffers').insertMany([{ ...offered }, { ...offeredByZeb }]);
  await collection('clinic', 'doctors').insertOne({ ...doctorProfile });
  await collection('clinic', 'pharmacists').insertOne({ ...pharmacistProfile });
  await storeFeed(calendarFeed(zeb));
  await storeMessages(zeb);
  const theirOrder = order(zeb);
  const theirMedicine = medicine(zeb);
  await collection('pharmacy', 'medicines').insertOne({ ...theirMedicine });
  await collection('pharmacy', 'orders').insertOne({ ...theirOrder });
  await collection('pharmacy', 'stockRequests').insertOne({ ...stockRequest(zeb) });
  const theirSession = session(zeb);
  await collection('identity', 'sessions').insertOne({ ...theirSession });
  const sent = invitation(other.email, zeb);
  const received = { ...invitation(zeb.email, other), _id: new ObjectId() };
  await collection('identity', 'invitations').insertMany([sent, received]);
  const theirUser = user((await collection('identity', 'users').findOne({ email: zeb.email })) ?? assert.fail());
  await collection('identity', 'users').replaceOne({ email: zeb.email }, { ...theirUser, disabled: false });
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

  await deletePerson(zeb);

  const left = await stored('clinic', 'appointments', asPatient._id);
  const found = ['accounts', 'people', 'words'] as const;
  assertErased<AppointmentRecord>(asPatient, left, patientDeleted, found);
  assert.deepEqual([left?.['accounts'], left?.['people']], [[other.id], [erasedEmail(zeb.id), other.email]]);
  assert.deepEqual([left?.['patientName'], left?.['patientEmail']], [erasedName, erasedEmail(zeb.id)]);
  assertErased<AppointmentRecord>(asDoctor, await stored('clinic', 'appointments', asDoctor._id), doctorDeleted, found);
  assertErased<OrderRecord>(theirOrder, await stored('pharmacy', 'orders', theirOrder._id), customerDeleted, [
    'status',
  ]);
  assertErased<MedicineRecord>(
    theirMedicine,
    await stored('pharmacy', 'medicines', theirMedicine._id),
    pharmacistDeleted,
    // The cancelled order returns its stock.
    ['quantity'],
  );
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
  for (const name of ['messages', 'preferences', 'undeliverable'])
    assert.equal(await services.databases.messages.collection(name).countDocuments(), 0, name);

  const everything = (
    await Promise.all(
      (['identity', 'clinic', 'pharmacy', 'messages'] as const).map((service) => services.dump(service)),
    )
  ).join('\n');
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

test('the copy of a person’s data has every field that isn’t declared internal', { timeout: 60_000 }, async () => {
  const zeb = await newZeb();
  const theirs = appointment({ patient: zeb, doctor: other });
  await collection('clinic', 'appointments').insertOne({ ...theirs, date: addDays(today, 42) });
  const waits = waiting({ patient: zeb, doctor: other });
  const offered = offer({ patient: zeb, doctor: other }, waits._id);
  await collection('clinic', 'waitlist').insertOne({ ...waits });
  await collection('clinic', 'waitlistOffers').insertOne({ ...offered });
  await collection('clinic', 'doctors').insertOne({ ...doctor(zeb) });
  await collection('clinic', 'pharmacists').insertOne({ ...pharmacist(zeb) });
  await storeFeed(calendarFeed(zeb));
  await storeMessages(zeb);
  await collection('pharmacy', 'orders').insertOne({ ...order(zeb) });
  await collection('pharmacy', 'stockRequests').insertOne({ ...stockRequest(zeb) });
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
  assertCopied({ ...theirs, date: addDays(today, 42) }, data('appointment')[0], clinicRecords.appointments.inCopy);
  assertCopied(waits, data('place on the waitlist')[0], clinicRecords.waitlist.inCopy);
  assertCopied(offered, data('offer from the waitlist')[0], clinicRecords.waitlistOffers.inCopy);
  assertCopied(doctor(zeb), data('doctor profile')[0], clinicRecords.doctors.inCopy);
  assertCopied(pharmacist(zeb), data('pharmacist profile')[0], clinicRecords.pharmacists.inCopy);
  assertCopied(calendarFeed(zeb), data('calendar subscription')[0], clinicRecords.calendarFeeds.inCopy);
  assertCopied(order(zeb), data('order')[0], pharmacyRecords.orders.inCopy);
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
  // What the kit keeps in every service; erasureHandler forgets people in it, or it names nobody.
  const ofTheKit = [
    'contacts',
    'events',
    'idempotency',
    'locks',
    'looks',
    'markers',
    'outbox',
    'persons',
    'schemaChanges',
  ];
  // Hashes, counts and locks.
  const withoutPeople = {
    identity: ['counts', 'demoMails', 'erased', 'guards', 'userTallies'],
    clinic: ['counts'],
    pharmacy: [],
    // Switches of the clinic, ids of links that were used, and events with ids and times only.
    messages: ['counts', 'kinds', 'usedLinks', 'webhookDeliveries', 'webhooks'],
  };
  const declared = {
    identity: identityRecords,
    clinic: clinicRecords,
    pharmacy: pharmacyRecords,
    messages: messagesRecords,
  };
  for (const service of ['identity', 'clinic', 'pharmacy', 'messages'] as const) {
    const names = (await services.databases[service].listCollections().toArray()).map(({ name }) => name);
    const known = new Set<string>([...ofTheKit, ...withoutPeople[service], ...Object.keys(declared[service])]);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
      `${service}: declare what a deletion does with it in personal-records.ts`,
    );
  }
});
