import path from 'node:path';
import { startTestIssuer } from '@clinic/service-kit/testing/issuer';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { MongoClient } from 'mongodb';
import { temporaryFolder, type Area, type AreaContext } from '../support/area.ts';
import { startDatabase } from '../support/database.ts';
import { internalSecret, serviceOptions, startProgram, startService, type Program } from '../support/program.ts';
import { atMost, type Row } from '../support/results.ts';
import { percentile } from '../support/rounds.ts';
import { Bookings } from './bookings.ts';
import type { MailFigures } from './mail-figures.ts';
import { writeReminders, writeVisits } from './records.ts';

/** Longest booking time while reminders are being sent, relative to a quiet clinic. */
const slower = 1.2;

/** Longest time to write the reminders, relative to writing their visits. */
const remindersTake = 2;

/** Milliseconds of bookings before anything is measured, and between two polls of the mail server. */
const warmUp = 3_000;
const pollEvery = 200;

/** Milliseconds until the ledger has marked all reminders as sent. */
const settledWithin = 10_000;

export const messages: Area = {
  name: 'messages',
  title: 'Reminders that are due at one minute',
  within: 420,
  async run(context) {
    const size = context.effort < 1 ? 500 : 10_000;
    const quietMs = context.effort < 1 ? 10_000 : 12_000;
    const stack = await start(context);
    const dueAt = await fill(stack, size, warmUp + quietMs, context);
    const { bookings } = stack;
    await bookings.until(() => Date.now() > dueAt - quietMs);
    context.say('bookings on a quiet clinic …');
    const before = await bookings.until(() => Date.now() > dueAt);
    context.say('bookings while the reminders leave …');
    const { times, figures } = await whileTheyLeave(stack, size);
    await assertSent(stack, size);
    context.say('bookings on a quiet clinic again …');
    const end = Date.now() + quietMs;
    const after = await bookings.until(() => Date.now() > end);
    return {
      how: `${size.toLocaleString('en')} visits in svc-clinic, a reminder of each in svc-messages, all due at the same moment; a mail server on the loopback takes them. Before, meanwhile and after, a patient books every 100 ms. Database, both services, mail server and patients share the machine.`,
      peerName: 'on a quiet clinic',
      rows: rowsOf(size, (figures.lastAt - dueAt) / 1_000, times, [...before, ...after]),
      remarks: [
        `${times.length} bookings meanwhile, ${before.length} before and ${after.length} after; each also sends its own confirmation.`,
        `${figures.mails - figures.people} reminders came twice.`,
      ],
    };
  },
};

interface Stack {
  readonly client: MongoClient;
  readonly bookings: Bookings;
  readonly mail: Program;
}

async function start(context: AreaContext): Promise<Stack> {
  const { after } = context;
  const database = await startDatabase(path.join(temporaryFolder(context, 'messages'), 'mongo'));
  after(() => database.stop());
  const client = await new MongoClient(database.uri).connect();
  after(() => client.close());
  const issuer = await startTestIssuer(internalSecret, ['clinic']);
  after(() => issuer.close());
  const service = (name: string, env?: Record<string, string>): Promise<Program> =>
    startService(
      context,
      `svc-${name}/src/main.ts`,
      { uri: database.uri, database: name, identityUrl: issuer.url },
      env,
    );
  const smtpPort = String(await holdPort());
  const mail = await startProgram(context, 'bench/src/messages/mail-service.ts', {
    env: { SMTP_PORT: smtpPort },
    nodeOptions: serviceOptions,
  });
  const clinic = await service('clinic');
  await service('messages', {
    SOURCES: `clinic=${clinic.url}`,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    WEBHOOK_KEY: 'key-of-the-secrets-of-webhooks-in-benches',
    QUIET_HOURS: 'none',
  });
  return { client, bookings: new Bookings(clinic.url, issuer), mail };
}

/**
 * Writes visits, with reminders that become due after the quiet bookings have been measured.
 *
 * @param before milliseconds until they become due
 * @returns when they are due, milliseconds since 1970
 */
async function fill({ client }: Stack, size: number, before: number, { say }: AreaContext): Promise<number> {
  say(`writing ${size.toLocaleString('en')} visits and reminders …`);
  const began = Date.now();
  const visits = await writeVisits(client.db('clinic'), size);
  const written = Date.now();
  const dueAt = written + (written - began) * remindersTake + before;
  await writeReminders(client.db('messages'), visits, new Date(dueAt));
  if (Date.now() > dueAt - before) throw new Error('The reminders were due before all of them were written');
  return dueAt;
}

/** Books until the mail server has all reminders. */
async function whileTheyLeave({ bookings, mail }: Stack, size: number) {
  let figures: MailFigures = { people: 0, mails: 0, lastAt: 0 };
  const poll = async (): Promise<void> => {
    figures = (await (await fetch(mail.url)).json()) as MailFigures;
  };
  let failure: unknown;
  const timer = setInterval(() => void poll().catch((error: unknown) => (failure = error)), pollEvery);
  try {
    const times = await bookings.until(() => figures.people === size || failure !== undefined);
    if (failure !== undefined) throw new Error('The mail server doesn’t respond', { cause: failure });
    return { times, figures };
  } finally {
    clearInterval(timer);
  }
}

/** @throws Error unless the ledger has marked all reminders as sent */
async function assertSent({ client }: Stack, size: number): Promise<void> {
  const ledger = client.db('messages').collection('messages');
  const sent = { kind: 'appointment-reminder', status: 'sent' };
  await waitUntil(async () => (await ledger.countDocuments(sent)) >= size, settledWithin);
}

function rowsOf(size: number, seconds: number, meanwhile: readonly number[], quiet: readonly number[]): Row[] {
  const what = `${size.toLocaleString('en')} reminders due at once`;
  return [
    { what: `${what}: until the last has left`, ours: { value: seconds, unit: 's' } },
    { what: `${what}: pace`, ours: { value: size / seconds, unit: 'messages/s' } },
    ...([0.5, 0.95] as const).map((part): Row => {
      const [ours, peer] = [percentile(meanwhile, part), percentile(quiet, part)];
      return {
        what: `a booking meanwhile, p${part * 100}`,
        ours: { value: ours, unit: 'ms' },
        peer: { value: peer, unit: 'ms' },
        judged: atMost(ours / peer, slower),
        ...(part === 0.5 && { chart: 'booking while reminders leave' }),
      };
    }),
  ];
}
