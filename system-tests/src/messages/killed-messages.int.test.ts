// Twenty seconds of bookings while services are killed and the mail server fails. Set MESSAGES_SECONDS=600 for a longer
// run.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, clinicInstant, clinicMoment } from '@clinic/contracts';
import { cookieNames } from '@clinic/service-kit';
import {
  startTestDatabase,
  startTestIssuer,
  testFetch,
  type TestDatabase,
  type TestIssuer,
} from '@clinic/service-kit/testing';
import { roomyDailyLimits } from '@clinic/service-kit/testing/roomy-limits';
import { allOrFirstError } from '@clinic/service-kit/testing/start-together';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { MongoClient, ObjectId, type Db } from 'mongodb';
import type { AppointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import { doctorRecord } from '../../../svc-clinic/src/doctors/doctor-record.ts';
import type { MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import { startProgram, type RunningProgram } from '../restarts/program.ts';
import { startTroubledMailServer, type TroubledMailServer } from './troubled-mail-server.ts';

const zone = 'Asia/Dhaka';
const seconds = Number(process.env['MESSAGES_SECONDS'] ?? 20);
const patients = 30;

/** Milliseconds between the question about a visit and the arrival of its reminder, if the mail server hangs. */
const slack = 3_000;

interface StoredEvent {
  readonly at: Date;
  readonly action: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly after: { readonly date?: string; readonly time?: string; readonly status?: string };
}

let database: TestDatabase;
let client: MongoClient;
let issuer: TestIssuer;
let smtp: TroubledMailServer;
let clinic: Db;
let ledger: Db;
const programs = new Map<string, RunningProgram>();
let starts: Readonly<Record<string, () => Promise<RunningProgram>>>;
let clinicUrl: string;
let crashes = 0;
let isOver = false;

const today = clinicMoment(new Date(), zone).date;
const slots = [addDays(today, 20), addDays(today, 21)].map((date) => ({ date, time: '10:00' }));
const [remindedSlot] = slots;
assert.ok(remindedSlot);
const dueAt = Date.now() + 1_000 * (10 + seconds / 2);

before(async () => {
  database = await startTestDatabase();
  issuer = await startTestIssuer(undefined, ['clinic']);
  smtp = await startTroubledMailServer(Math.random);
  client = await MongoClient.connect(database.uri);
  const [clinicName, ledgerName] = [database.newName('clinic'), database.newName('messages')];
  clinic = client.db(clinicName);
  ledger = client.db(ledgerName);
  const port = String(await holdPort());
  clinicUrl = `http://127.0.0.1:${port}`;
  const common = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    IDENTITY_URL: issuer.url,
    MONGODB_URI: database.uri,
    DAILY_LIMITS: roomyDailyLimits,
  };
  const hours = (clinicInstant(remindedSlot, zone).getTime() - dueAt) / 3_600_000;
  const messages = () =>
    startProgram('svc-messages', {
      ...common,
      PORT: '0',
      MONGODB_DATABASE: ledgerName,
      SOURCES: `clinic=${clinicUrl}`,
      SMTP_URL: smtp.url,
      SEND_TIMEOUT_SECONDS: '1',
      RETRY_MINUTES: Array(20).fill('0.02').join(','),
      REMINDER_HOURS: hours.toFixed(6),
      QUIET_HOURS: 'none',
    });
  starts = {
    clinic: () =>
      startProgram('svc-clinic', {
        ...common,
        PORT: port,
        MONGODB_DATABASE: clinicName,
        CLINIC_MAX_CHANGES_PER_DAY: '1000000',
      }),
    'messages 1': messages,
    'messages 2': messages,
  };
  for (const [name, start] of Object.entries(starts)) programs.set(name, await start());
  await clinic.collection('doctors').insertMany(Array.from({ length: patients }, (_, index) => doctorOf(index)));
});
after(async () => {
  await Promise.all([...programs.values()].map((program) => program.kill()));
  await client.close();
  await issuer.close();
  await database.close();
  smtp.close();
});

const doctorEmail = (index: number): string => `doctor${index}@clinic.example`;
const patientEmail = (index: number): string => `patient${index}@mail.example`;

const doctorOf = (index: number) =>
  doctorRecord({
    _id: new ObjectId(),
    name: `Dr. Number ${index}`,
    email: doctorEmail(index),
    qualification: 'MD',
    education: 'Dhaka',
    specialization: 'Cardiologist',
    experience: 9,
    location: 'Level 3',
    image: '',
    isAvailable: true,
    availableTimes: ['10:00'],
    rating: 4.5,
    createdAt: new Date(),
  });

/** A patient books with their doctor, moves and cancels, as fast as the clinic answers. */
async function visitClinic(index: number): Promise<void> {
  const email = patientEmail(index);
  const cookie = `${cookieNames.access}=${await issuer.token({ role: 'patient', email })}`;
  const call = testFetch(clinicUrl, { Cookie: cookie });
  const appointments = clinic.collection<AppointmentRecord>('appointments');
  while (!isOver) {
    const open = await appointments.findOne({ patientEmail: email, status: 'Pending' });
    const slot = slots[open ? Number(open.date === remindedSlot?.date) : Math.floor(Math.random() * 2)];
    const person = {
      patientname: 'Ann Lee',
      patientemail: email,
      age: 34,
      address: 'Lake Road',
      number: '+880 1555 010999',
    };
    const doctor = { doctorname: `Dr. Number ${index}`, doctoremail: doctorEmail(index), status: 'Pending' };
    // The answer may be lost: only the database counts.
    await (
      open
        ? Math.random() < 0.3
          ? call(`/update-appoinment/${open._id.toHexString()}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } })
          : call(`/appoinments/${open._id.toHexString()}`, { method: 'PATCH', json: slot })
        : call('/appoinments', { method: 'POST', json: { ...person, ...doctor, ...slot } })
    ).catch(() => undefined);
    await delay(1_000 + Math.random() * 1_000);
  }
}

/** Kills one program after the other, and restarts it. */
async function crash(until: number): Promise<void> {
  for (let turn = 0; turn < 3 || Date.now() < until; turn += 1) {
    await delay(1_500);
    const [name, start] = Object.entries(starts)[turn % 3] ?? assert.fail('no programs');
    await programs.get(name)?.kill();
    crashes += 1;
    programs.set(name, await start());
  }
}

const messages = () => ledger.collection<MessageRecord>('messages');
const visitEvents = () =>
  clinic.collection<StoredEvent>('events').find({ 'record.type': 'appointment' }).sort({ at: 1, _id: 1 }).toArray();

test('no mail is lost, duplicates keep their Message-ID, and nobody is reminded of an old time', async (t) => {
  const until = Date.now() + seconds * 1_000;
  const parts = [crash(until), ...Array.from({ length: patients }, (_, index) => visitClinic(index))];
  // Each ends the others, also by failing.
  await allOrFirstError(parts.map((part) => part.finally(() => (isOver = true))));
  await delay(Math.max(0, dueAt - Date.now()));
  smtp.recover();
  await waitUntil(async () => {
    const left = await clinic.collection('outbox').countDocuments();
    return left === 0 && !(await messages().findOne({ status: 'pending', dueAt: { $lte: new Date() } }));
  }, 300_000);

  const [events, rows] = [await visitEvents(), await messages().find().toArray()];
  t.diagnostic(figuresOf(events, rows));
  assert.ok(events.length > 10 && crashes >= 3);
  assertEachCauseOnce(events, rows);
  assertMailboxAgrees(rows);
  await assertRemindersTrue(events, rows);
});

/** A run's figures, for docs/reliability.md. */
function figuresOf(events: readonly StoredEvent[], rows: readonly MessageRecord[]): string {
  const count = (status: MessageRecord['status']): number => rows.filter((row) => row.status === status).length;
  const doubled = smtp.mails.length - new Set(smtp.mails.map(({ messageId }) => messageId)).size;
  const outcomes = `${count('sent')} sent, ${count('suppressed')} suppressed, ${count('pending')} pending`;
  return `${crashes} kills, ${events.length} events, ${outcomes}, ${doubled} duplicates under their Message-ID`;
}

/** Each change in the history caused exactly one row of the ledger. */
function assertEachCauseOnce(events: readonly StoredEvent[], rows: readonly MessageRecord[]): void {
  const kindOf = ({ action }: StoredEvent): string =>
    ({ booked: 'appointment-booked', rescheduled: 'appointment-moved' })[action] ?? 'appointment-cancelled';
  const causes = events.map((event) => `${event.record.id} ${kindOf(event)}`);
  const caused = rows.filter(({ lane }) => lane === 0).map(({ visit, kind }) => `${visit} ${kind}`);
  assert.deepEqual(caused.toSorted(), causes.toSorted());
  for (const { status, reason, kind } of rows)
    assert.ok(
      status === 'sent' || status === 'pending' || (status === 'suppressed' && reason === 'out-of-date'),
      `${kind} is ${status} ${reason}`,
    );
}

/** Sent mails have arrived, and arrived mails are in the ledger; twice only if the sender couldn't know. */
function assertMailboxAgrees(rows: readonly MessageRecord[]): void {
  const arrived = Map.groupBy(smtp.mails, ({ messageId }) => messageId);
  const byId = new Map(rows.map((row) => [row.messageId, row]));
  for (const row of rows) if (row.status === 'sent') assert.ok(arrived.has(row.messageId), `${row.key} was lost`);
  for (const { messageId, to } of smtp.mails) assert.equal(byId.get(messageId)?.to.email, to);
  // A sender that got no answer in time can't know. One that got it may have crashed before it noted that: five mails each.
  const needless = [...arrived.values()].flatMap((copies) => copies.slice(0, -1).filter((copy) => copy.isAcknowledged));
  const most = 5 * crashes;
  assert.ok(needless.length <= most, `${needless.length} mails again after their answer, at most ${most}`);
}

/** Each reminder named the time that the visit had when it arrived, and none is missing. */
async function assertRemindersTrue(events: readonly StoredEvent[], rows: readonly MessageRecord[]): Promise<void> {
  const reminders = rows.filter(({ kind }) => kind === 'appointment-reminder');
  for (const { messageId, visit, data } of reminders) {
    const own = events.filter(({ record }) => record.id === visit);
    const { date } = data['visit'] as { readonly date: string };
    for (const { at } of smtp.mails.filter((mail) => mail.messageId === messageId))
      assert.ok(
        statesBetween(own, at - slack, at).includes(date),
        `${visit} was reminded of ${date} at ${new Date(at).toISOString()}: ${JSON.stringify(own)}`,
      );
  }
  const due = await clinic
    .collection<AppointmentRecord>('appointments')
    .find({ status: 'Pending', date: remindedSlot?.date ?? '' })
    .toArray();
  for (const { _id } of due) {
    const id = _id.toHexString();
    // A visit that moved to this time after its reminder was due gets none.
    const last = events.findLast(({ record }) => record.id === id);
    if (!last || last.at.getTime() > dueAt - slack) continue;
    assert.equal(
      reminders.find(({ key }) => key.startsWith(`reminder:${id}:${remindedSlot?.date}`))?.status,
      'sent',
      id,
    );
  }
}

/** The dates that a visit had in a period, `Cancelled` included. */
function statesBetween(events: readonly StoredEvent[], from: number, until: number): string[] {
  const states = events.map(({ at, after: { date, status } }) => ({ at: at.getTime(), state: date ?? status ?? '' }));
  const before = states.findLast(({ at }) => at <= from);
  return [...(before ? [before] : []), ...states.filter(({ at }) => at > from && at <= until)].map(
    ({ state }) => state,
  );
}
