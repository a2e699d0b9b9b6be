import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment, type CallBody } from '@clinic/contracts';
import type { WaitlistOffer } from '../contract/waitlist-calls.ts';
import { newId, type HistoryEvent } from '@clinic/service-kit';
import { startTestIssuer, type TestIssuer } from '@clinic/service-kit/testing';
import { allOrFirstError } from '@clinic/service-kit/testing/start-together';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { MongoClient, ObjectId } from 'mongodb';
import {
  startProcess as startDatabase,
  testFolder,
  type ServerProcess,
} from '../../../stand-ins/mongo-embedded/src/testing/harness.ts';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import { doctorRecord } from '../doctors/doctor-record.ts';
import type { ServiceProcess } from '@clinic/service-kit/testing/service-process';
import { startProcess } from '../testing/service-process.ts';
import type { OfferRecord } from './waitlist-record.ts';

const database = 'waitlist';
const grey = { role: 'doctor', email: 'grey@clinic.example' } as const;
const house = { role: 'doctor', email: 'house@clinic.example' } as const;
const times = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'];
const { date: today } = clinicMoment(new Date(), 'Asia/Dhaka');
/** On the first day, people take what they are offered, or not; on the second, nobody does. */
const firstDay = addDays(today, 3);
const secondDay = addDays(today, 4);
const patient = (index: number) => ({ role: 'patient', email: `patient${index}@mail.example` }) as const;

const folder = testFolder();
let mongo: ServerProcess;
let issuer: TestIssuer;
let client: MongoClient;
let collections: ClinicCollections;
const replicas: ServiceProcess[] = [];

// An offer stands for longer than the test takes on any machine; those that people ignore get a shorter time below.
const startReplica = () =>
  startProcess({ issuer, mongoUri: mongo.uri, database }, { WAITLIST_OFFER_MINUTES: '60', WAITLIST_OFFERS: '100' });

before(async () => {
  mongo = await startDatabase(folder);
  issuer = await startTestIssuer(undefined, ['clinic']);
  client = await new MongoClient(mongo.uri, { serverSelectionTimeoutMS: 3_000 }).connect();
  collections = collectionsOf(client.db(database));
  replicas.push(...(await Promise.all([startReplica(), startReplica()])));
  for (const { email } of [grey, house])
    await collections.doctors.insertOne(
      doctorRecord({
        _id: new ObjectId(),
        name: `Dr. ${email}`,
        email,
        qualification: 'MD',
        education: 'Dartmouth',
        // Free times of a doctor of the specialty would have to be booked, rather than waited for.
        specialization: email === grey.email ? 'Cardiologist' : 'Dermatologist',
        experience: 9,
        location: 'Level 3',
        image: '',
        isAvailable: true,
        availableTimes: times,
        rating: 4.5,
        createdAt: new Date(),
        accountId: issuer.idOf(email),
      }),
    );
});
after(async () => {
  over.abort();
  await Promise.allSettled(replicas.map((replica) => replica.kill()));
  await client.close();
  await issuer.close();
});

/** Milliseconds for all of it, on a busy machine. */
const patience = 480_000;

/** Once one part has failed, no other waits for anything. */
const over = new AbortController();
const until = <T>(check: () => Promise<T>) => waitUntil(check, patience, undefined, over.signal);

/** Retries a request until a live replica responds. */
async function send(
  who: Parameters<ServiceProcess['as']>[0],
  path: string,
  method: string,
  json: unknown,
): Promise<Response> {
  return until(async () => {
    const replica = replicas[Math.floor(Math.random() * replicas.length)] ?? assert.fail();
    const answer = await replica.as(who)(path, { method, json, signal: AbortSignal.timeout(60_000) });
    if (answer.status >= 500 || answer.status === 401)
      throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  });
}

const details = { age: 40, address: '5 Lake Road', number: '+880 1555 010999' };
const booking = (index: number, doctoremail: string, date: string, time: string): CallBody<'bookAppointment'> => ({
  ...details,
  patientname: `Patient ${index}`,
  patientemail: patient(index).email,
  userId: undefined,
  doctoremail,
  date,
  time,
});

/** A patient's response to an offer, always the same for the same offer. */
function choiceOf({ patientId, date, time }: OfferRecord): 'accept' | 'decline' | 'ignore' {
  const sum = Buffer.from(`${patientId}${time}`).reduce((total, byte) => total + byte, 0);
  // Some at every time: if all ten ignored one time, their offers would run out one after the other.
  if (date === secondDay) return sum % 3 === 0 ? 'ignore' : 'decline';
  return (['accept', 'decline', 'ignore', 'decline'] as const)[sum % 4] ?? 'ignore';
}

interface Moment {
  readonly doctorname: string;
  readonly date: string;
  readonly time: string;
}

/** The holder of each slot at the end of the history. @throws AssertionError if two people held one at once */
function holdersOf(events: readonly HistoryEvent[]): ReadonlyMap<string, string | undefined> {
  const holders = new Map<string, string | undefined>();
  const slots = new Map<string, string>();
  for (const { action, record, after: fields } of events) {
    const { offer, status, ...moment } = fields as Moment & { readonly offer?: string; readonly status?: string };
    const id = offer ?? record.id;
    const takes = action === 'booked' || action === 'time offered';
    const leaves = action.startsWith('offer ') || status === 'Cancelled';
    if (takes) slots.set(id, `${moment.doctorname} ${moment.date} ${moment.time}`);
    if (!takes && !leaves) continue;
    const slot = slots.get(id) ?? assert.fail(`${action} before it began`);
    assert.equal(holders.get(slot), takes ? undefined : id, `${action}: ${slot}`);
    holders.set(slot, takes ? id : undefined);
  }
  return holders;
}

test(
  'fifty wait while replicas and the database are killed: a slot has one holder at a time, and ends booked or free',
  { timeout: patience + 60_000 },
  async () => {
    // Both days are full: patients 100 to 111.
    const held: { readonly _id: string; readonly index: number }[] = [];
    for (const [at, date] of [firstDay, secondDay].entries())
      for (const [index, time] of times.entries()) {
        const holder = 100 + at * times.length + index;
        const answer = await send(patient(holder), '/appoinments', 'POST', booking(holder, grey.email, date, time));
        assert.equal(answer.status, 201, await answer.clone().text());
        held.push({ _id: ((await answer.json()) as { _id: string })._id, index: holder });
      }
    // Fifty wait; the first six have an appointment with somebody else at one of the times, the last ten wait for the
    // second day.
    const join = async (index: number): Promise<void> => {
      if (index < 6)
        await send(patient(index), '/appoinments', 'POST', booking(index, house.email, firstDay, times[index] ?? ''));
      const date = index < 40 ? firstDay : secondDay;
      const answer = await send(patient(index), '/waitlist', 'POST', {
        ...details,
        patientname: `Patient ${index}`,
        patientemail: patient(index).email,
        ...(index % 5 === 0 ? { specialty: 'Cardiologist' } : { doctoremail: grey.email }),
        from: date,
        until: date,
        parts: ['morning'],
      });
      // A retry of a request whose response came too late; all fifty are counted at the end.
      assert.ok([201, 409].includes(answer.status), await answer.text());
    };
    for (let first = 0; first < 50; first += 5)
      await Promise.all(Array.from({ length: 5 }, (_, index) => join(first + index)));

    let freeing = true;
    const choosing = async (): Promise<void> => {
      const seen = new Set<string>();
      const people = new Map(
        Array.from({ length: 50 }, (_, index) => [issuer.idOf(patient(index).email), patient(index)] as const),
      );
      const choose = async (offer: OfferRecord): Promise<void> => {
        const choice = choiceOf(offer);
        if (choice === 'ignore') {
          // Only these run out, so that however slow the machine is, all others are in time. The note tells the replicas.
          const soonOver = { $set: { until: new Date(Date.now() + 1_000) } };
          await collections.waitlistOffers.updateOne({ _id: offer._id, status: 'open' }, soonOver);
          await collections.freedTimes.insertOne({ _id: newId(), at: new Date(), patientId: offer.patientId });
          return;
        }
        const who = people.get(offer.patientId) ?? assert.fail(offer.patientId);
        const answer = await send(who, `/waitlist/offers/${offer._id.toHexString()}/${choice}`, 'POST', {});
        assert.ok([200, 409].includes(answer.status), await answer.text());
      };
      const isQuiet = async (): Promise<boolean> => {
        const open = await collections.waitlistOffers.find({ status: 'open' }).toArray();
        const made = open.filter(({ _id }) => !seen.has(_id.toHexString()));
        await Promise.all(made.map(choose));
        for (const { _id } of made) seen.add(_id.toHexString());
        return !freeing && open.length === 0 && (await collections.freedTimes.countDocuments({})) === 0;
      };
      await until(isQuiet);
    };
    // Somebody who isn't on the waitlist keeps asking for every other slot of the first day.
    let asking = true;
    const asked: string[] = [];
    const thieving = async (): Promise<void> => {
      for (let step = 0; asking; step += 2) {
        const wanted = booking(200 + step, grey.email, firstDay, times[step % times.length] ?? '');
        const answer = await send(patient(200 + step), '/appoinments', 'POST', wanted);
        asked.push(String(answer.status));
      }
    };
    const killing = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        // Each kill comes after some more offers, so that it hits them at different moments.
        const before = await until(() => collections.waitlistOffers.countDocuments({}));
        await until(async () => !freeing || (await collections.waitlistOffers.countDocuments({})) > before + 2);
        const victim = round % 2;
        await replicas[victim]?.kill();
        replicas[victim] = await startReplica();
        const { port } = new URL(mongo.uri);
        await mongo.kill();
        mongo = await startDatabase(folder, Number(port));
      }
    };
    const cancelling = async (): Promise<void> => {
      for (const { _id, index } of held) {
        const answer = await send(patient(index), `/update-appoinment/${_id}`, 'PATCH', { newStatus: 'Cancelled' });
        // A retry of a request whose response was lost in the crash.
        assert.ok([200, 409].includes(answer.status), await answer.text());
      }
    };
    const work = [cancelling().then(() => void (freeing = false)), killing(), choosing()];
    const worked = allOrFirstError(work, over).finally(() => void (asking = false));
    await allOrFirstError<unknown>([worked, thieving()], over);
    assert.ok(asked.length > 0);

    const offers = await collections.waitlistOffers.find({}).sort({ madeAt: 1 }).toArray();
    const appointments = await collections.appointments.find({}).toArray();
    const entries = await collections.waitlist.find({}).toArray();
    const outcomes = Map.groupBy(offers, ({ status }) => status);
    assert.deepEqual(
      ['accepted', 'declined', 'missed'].filter((status) => !outcomes.has(status as WaitlistOffer['status'])),
      [],
      'every outcome occurred',
    );
    // Nothing is held any more, and nobody's offer is open.
    assert.equal(appointments.filter(({ status }) => (status as string) === 'Held').length, 0);
    assert.equal(outcomes.has('open'), false);

    const active = appointments.filter(({ status }) => status === 'Pending' || status === 'Confirmed');
    const named = ({ doctorName, date, time }: { doctorName: string; date: string; time: string }) =>
      `${doctorName} ${date} ${time}`;
    const slotOf = ({ doctorEmail, date, time }: { doctorEmail: string; date: string; time: string }) =>
      `${doctorEmail} ${date} ${time}`;
    // The history, read in order: a slot has one holder, an appointment or an offer, and nobody takes it from them.
    const events = await client
      .db(database)
      .collection<HistoryEvent>('events')
      .find({ 'record.type': { $in: ['appointment', 'waitlist'] } })
      .sort({ at: 1, _id: 1 })
      .toArray();
    const bySlot = holdersOf(events);
    for (const slot of new Set([...active.map(named), ...bySlot.keys()]))
      assert.deepEqual(
        active.filter((one) => named(one) === slot).map(({ _id }) => _id.toHexString()),
        [bySlot.get(slot)].filter((holder) => holder !== undefined),
        slot,
      );
    // Nobody was offered a slot twice.
    const offered = offers.map((offer) => `${offer.patientId} ${slotOf(offer)}`);
    assert.equal(new Set(offered).size, offered.length);
    const logged = await client.db(database).collection('events').find({ action: 'time offered' }).toArray();
    assert.equal(logged.length, offers.length);
    // Everybody who accepted has one appointment; nobody has two at one time.
    const accepted = outcomes.get('accepted') ?? [];
    for (const offer of accepted) {
      const own = active.filter((one) => one.patientId === offer.patientId && slotOf(one) === slotOf(offer));
      assert.equal(own.length, 1, slotOf(offer));
    }
    assert.deepEqual(
      entries
        .filter(({ status }) => status === 'booked')
        .map(({ _id }) => _id.toHexString())
        .toSorted(),
      accepted.map(({ entryId }) => entryId.toHexString()).toSorted(),
    );
    assert.equal(entries.filter(({ status }) => status === 'waiting').length, 50 - accepted.length);
    const moments = active.map(({ patientEmail, date, time }) => `${patientEmail} ${date} ${time}`);
    assert.equal(new Set(moments).size, moments.length);
    // On the second day nobody accepted: each of the ten was offered each time, and then it was free.
    assert.equal(active.filter(({ date }) => date === secondDay).length, 0);
    assert.equal(
      offers.filter(({ date, doctorEmail }) => date === secondDay && doctorEmail === grey.email).length,
      10 * times.length,
    );
  },
);
