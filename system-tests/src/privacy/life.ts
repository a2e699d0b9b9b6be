import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { addDays, type User } from '@clinic/contracts';
import type { TestFetch } from '@clinic/service-kit/testing';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Random } from '@clinic/mongo-embedded/testing/random';
import type { TestedService } from '../support/every-call.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { feedIsLive, people, type ThreeServices } from '../support/three-services.ts';
import { bookingOf, prove, register, type Newcomer } from './newcomer.ts';
import { orderableMedicine } from '../support/orderable.ts';

/** A person of the model: what they have entered anywhere, and every address they ever had. */
export interface Life {
  person: Newcomer;
  readonly id: string;
  readonly addresses: Set<string>;
  /** Texts about them that are nobody else's. */
  readonly marks: Set<string>;
  confirmed: boolean;
  deleted: boolean;
  appointment: Appointment | undefined;
  order: Order | undefined;
}

/** What lives share: the clinic, its staff, and addresses that somebody gave up. */
export interface World {
  readonly services: ThreeServices;
  readonly random: Random;
  readonly doctor: Doctor;
  readonly medicineId: string;
  readonly today: string;
  readonly lives: Life[];
  readonly given: string[];
  /** Steps so far, to name in a failure. */
  readonly told: string[];
  /** Visits that the reception booked under an address that no account had confirmed: texts by address. */
  readonly walkIns: Map<string, string[]>;
  day: number;
}

const admin = async ({ services }: World) => services.from(await services.signIn(people.admin.email));

/** Somebody registers, perhaps with an address that somebody else gave up. */
export async function begin(world: World): Promise<Life> {
  const { services, random, lives, given } = world;
  const email = given.length > 0 && random.next() < 0.6 ? given.pop() : undefined;
  // No text is part of another person's, nor of an address.
  const number = 1_000 + lives.length;
  const person = await register(services, {
    ...(email !== undefined && { email }),
    lastName: `Wrenfield${number}x`,
    phone: `+880 1888 10${number}`,
    street: `${number} Unfindable Street`,
  });
  const { _id: id } = await readJson<User>(person.at('identity')(`/users/${person.email}`));
  const life: Life = {
    person,
    id,
    addresses: new Set([person.email]),
    marks: new Set([person.lastName, person.phone, person.street]),
    confirmed: false,
    deleted: false,
    appointment: undefined,
    order: undefined,
  };
  lives.push(life);
  return life;
}

/** Sends a change until the service has time for it: with a key, so that one that went through isn't made twice. */
function done<T>(at: TestFetch, path: string, method: 'POST' | 'PATCH', json: object): Promise<T> {
  const headers = { 'Idempotency-Key': randomUUID() };
  return readJson<T>(untilServed(() => at(path, { method, json, headers })));
}

/** A new session: rights may have changed. */
async function again({ services }: World, life: Life): Promise<void> {
  const cookie = await waitUntil(() => services.signIn(life.person.email));
  life.person = { ...life.person, cookie, at: services.from(cookie) };
}

const nextDate = (world: World): string => addDays(world.today, (world.day += 1));

type Step = (world: World, life: Life) => Promise<void>;

const confirm: Step = async (world, life) => {
  life.person = await prove(world.services, life.person);
  life.confirmed = true;
  // What was booked under the address for nobody is theirs from now on.
  for (const mark of world.walkIns.get(life.person.email) ?? []) life.marks.add(mark);
  world.walkIns.delete(life.person.email);
};

const move: Step = async (world, life) => {
  const before = life.person.email;
  // No address is part of another, as a copy is searched for others'.
  if (!life.confirmed) await confirm(world, life);
  life.person = await prove(world.services, life.person, `moved${world.day}@nowhere.example`);
  world.day += 1;
  life.addresses.add(life.person.email);
  world.given.push(before);
};

const book: Step = async (world, life) => {
  await again(world, life);
  const visit = { date: nextDate(world), reason: `Dizzy in ${life.person.street}` };
  const json = bookingOf(life.person, world.doctor, visit);
  life.appointment = await done(life.person.at('clinic'), '/appoinments', 'POST', json);
};

const order: Step = async (world, life) => {
  await again(world, life);
  const { email, street, phone } = life.person;
  const json = {
    items: [{ medicineId: world.medicineId, quantity: 1 }],
    deliveryAddress: street,
    customeremail: email,
    customerPhone: phone,
  };
  life.order = await done(life.person.at('pharmacy'), '/orderMedi', 'POST', json);
};

const deliver: Step = async (world, life) => {
  if (!life.order) return;
  const path = `/orderMedi/${life.order._id}`;
  const asAdmin = (await admin(world))('pharmacy');
  await done(asAdmin, path, 'PATCH', { newStatus: 'Delivered' });
  life.order = undefined;
};

const wait: Step = async (world, life) => {
  // Nobody else may join the waitlist.
  if (!life.appointment || !life.confirmed) return;
  await again(world, life);
  const { _id: appointment, date } = life.appointment;
  const json = { patientemail: life.person.email, appointment, from: date, until: date, parts: ['evening'] };
  await done(life.person.at('clinic'), '/waitlist', 'POST', json);
  life.appointment = undefined;
};

const beStaff: Step = async (world, life) => {
  if (!life.confirmed) await confirm(world, life);
  const asAdmin = (await admin(world))('identity');
  for (const newRole of [world.random.pick(['doctor', 'pharmacist']), 'patient'])
    await done(asAdmin, `/update-role/${life.id}`, 'PATCH', { newRole });
  await again(world, life);
};

const bookedByReception: Step = async (world, life) => {
  const date = nextDate(world);
  const json = {
    ...bookingOf(life.person, world.doctor, { date, time: world.doctor.availableTimes[1] ?? '' }),
    patientname: `Reception ${life.person.lastName}`,
  };
  // Under an address that isn't confirmed, it is nobody's until somebody confirms it.
  if (!life.confirmed) {
    json.patientname = `Walkin${date}`;
    json.number = `+880 1666 ${date.replaceAll('-', '')}`;
    json.address = `Nowhere${date}`;
    const known = world.walkIns.get(life.person.email) ?? [];
    world.walkIns.set(life.person.email, [...known, json.patientname, json.number, json.address]);
  }
  await done((await admin(world))('clinic'), '/appoinments', 'POST', json);
};

/** Somebody else is booked under an address that its owner gave up. */
const strangerAtOldAddress: Step = async (world) => {
  const email = world.given.at(-1);
  if (email === undefined) return;
  const date = nextDate(world);
  const texts = [`Stranger${date}`, `+880 1555 ${date.replaceAll('-', '')}`, `Elsewhere${date}`];
  const [patientname = '', number = '', address = ''] = texts;
  const { email: doctoremail, availableTimes } = world.doctor;
  const json = {
    patientname,
    patientemail: email,
    age: 40,
    address,
    number,
    date,
    time: availableTimes[2],
    doctoremail,
  };
  await done((await admin(world))('clinic'), '/appoinments', 'POST', json);
  world.walkIns.set(email, [...(world.walkIns.get(email) ?? []), ...texts]);
};

const restart: Step = async ({ services, random }) => {
  const service = random.pick<TestedService>(['clinic', 'pharmacy', 'messages', 'identity']);
  await services.stop(service);
  await services.start(service);
  await Promise.all(Object.values(services.urls).map((url) => feedIsLive(url)));
};

export const steps = {
  confirm,
  move,
  book,
  order,
  deliver,
  wait,
  beStaff,
  bookedByReception,
  strangerAtOldAddress,
  restart,
} as const;

/** Deletes a person, by themselves or by an admin, while a service may be down. */
export async function leave(world: World, life: Life): Promise<void> {
  const { services, random } = world;
  const down = random.next() < 0.5 ? random.pick<TestedService>(['clinic', 'pharmacy', 'messages']) : undefined;
  await again(world, life);
  const path = `/users/${life.person.email}`;
  const asAdmin = (await admin(world))('identity');
  const bySelf = random.next() < 0.5;
  if (down) await services.stop(down);
  const answer = await untilServed(() =>
    bySelf
      ? life.person.at('identity')(path, { method: 'DELETE' })
      : asAdmin(`${path}/erasure`, { method: 'POST', json: {} }),
  );
  assert.equal(answer.status, 200, await answer.clone().text());
  if (down) {
    await services.start(down);
    await feedIsLive(services.urls[down] ?? '');
  }
  await waitUntil(async () => assert.equal((await asAdmin(path)).status, 404));
  life.deleted = true;
}

export async function openWorld(services: ThreeServices, random: Random, today: string): Promise<World> {
  const anyone = services.from('');
  const doctors = await readJson<Doctor[]>(anyone('clinic')('/doctors'));
  const doctor = doctors.find(({ email }) => email === people.doctor.email) ?? assert.fail('no doctor');
  const { medicine } = await orderableMedicine(anyone('pharmacy'));
  const { medicineId } = medicine;
  return { services, random, doctor, medicineId, today, lives: [], given: [], told: [], walkIns: new Map(), day: 100 };
}

/** Everything a person gets as a copy of their data. */
export async function copyOf(world: World, life: Life): Promise<string> {
  await again(world, life);
  const { email, at } = life.person;
  const exported = (service: TestedService, path: string) => untilServed(() => at(service)(path));
  const answers = await Promise.all([
    exported('identity', `/users/${email}/export`),
    exported('clinic', `/appoinments/export?email=${email}`),
    exported('pharmacy', `/orderMedi/export?email=${email}`),
    exported('messages', `/messages/export?email=${email}`),
  ]);
  for (const answer of answers) assert.equal(answer.status, 200);
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n');
}
