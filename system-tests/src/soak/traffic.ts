import { setTimeout as delay } from 'node:timers/promises';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { demoAccounts } from '@clinic/demo-data';
import { Ledger, type KnownAppointment } from './ledger.ts';
import { Random } from '@clinic/mongo-embedded/testing/random';
import { Visitor, type Outcome, type Answers } from './visitor.ts';
import { keepsLong } from '../support/orderable.ts';

/** Longest pause between two actions of a visitor, milliseconds. */
const thinkMs = 150;
/** Days ahead to book; few, so that patients compete for slots. */
const horizon = 12;

export interface TrafficOptions {
  /** Addresses of the gateways. */
  readonly gateways: readonly string[];
  readonly seed: number;
  readonly answers: Answers;
  readonly stop: AbortSignal;
  readonly patients: number;
}

export interface Traffic {
  readonly ledger: Ledger;
  /** Everybody who signed in. */
  readonly people: readonly Visitor[];
  /** Waits until everybody knows the outcome of their last action. */
  over(): Promise<void>;
}

const newProfile = { firstName: 'Chaos', phone: '+880 1555 010999', dateOfBirth: '1990-01-01' };

/** Simulates patients, a doctor, a pharmacist, an admin and anonymous visitors. */
export async function startTraffic({ gateways, seed, answers, stop, patients }: TrafficOptions): Promise<Traffic> {
  const ledger = new Ledger();
  const people: Visitor[] = [];
  const arrive = async (email: string, profile?: object): Promise<Visitor> => {
    const visitor = new Visitor(gateways, answers);
    await visitor.signIn(email, profile);
    people.push(visitor);
    return visitor;
  };
  const guest = new Visitor(gateways, answers);
  const doctors = ((await guest.insist('GET', '/doctors')).body as Doctor[])
    .filter(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 2)
    .slice(0, 3);
  const medicines = ((await guest.insist('GET', '/medicine')).body as Medicine[])
    .filter(
      ({ status, medicine: { expiryDate, prescriptionOnly } }) =>
        !prescriptionOnly && status !== 'out of stock' && keepsLong(expiryDate),
    )
    .slice(0, 6);
  const newPatient = (number: number): Promise<Visitor> =>
    arrive(`chaos${seed}.${number}@mail.example`, { ...newProfile, lastName: `Patient ${number}` });

  const lives: Promise<void>[] = [];
  let visitors = 0;
  const live = (once: (random: Random) => Promise<unknown>): void => {
    visitors += 1;
    const random = new Random(seed * 1_000 + visitors);
    lives.push(
      (async () => {
        while (!stop.aborted) {
          await once(random);
          await delay(random.below(thinkMs));
        }
      })().catch((error: unknown) => answers.violate(`a visitor failed: ${String(error)}`)),
    );
  };

  for (let number = 1; number <= patients; number += 1) {
    const patient = await newPatient(number);
    live((random) => bePatient(patient, random, { ledger, doctors, medicines }));
  }
  const [admin, doctor, pharmacist] = [
    await arrive(demoAccounts.admin),
    await arrive(demoAccounts.doctor),
    await arrive(demoAccounts.pharmacist),
  ];
  live((random) => beAdmin(admin, random, ledger));
  live((random) => beDoctor(doctor, random));
  live((random) => bePharmacist(pharmacist, random, ledger, medicines));
  live((random) => browse(guest, random, doctors));
  live((random) =>
    guest.ask('GET', random.pick(['/', '/ourDoctors', '/medicinestore']), undefined, { accept: 'text/html' }),
  );
  let newcomers = patients;
  // New people register all the time, too.
  live(async () => {
    newcomers += 1;
    await newPatient(newcomers);
    await delay(2_000);
  });
  return { ledger, people, over: async () => void (await Promise.all(lives)) };
}

interface World {
  readonly ledger: Ledger;
  readonly doctors: readonly Doctor[];
  readonly medicines: readonly Medicine[];
}

const dayAhead = (random: Random): string =>
  addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 1 + random.below(horizon));

async function bePatient(patient: Visitor, random: Random, { ledger, doctors, medicines }: World): Promise<unknown> {
  const { email } = patient;
  const own = [...ledger.appointments].filter(([, known]) => known.patient === email);
  switch (random.pick(['book', 'book', 'order', 'order', 'move', 'cancel', 'cancel order', 'look', 'look'] as const)) {
    case 'book':
      return book(patient, random, ledger, random.pick(doctors));
    case 'order':
      return order(patient, random, ledger, medicines);
    case 'move':
      return own.length > 0 ? move(patient, random, ledger, doctors, random.pick(own)) : undefined;
    case 'cancel': {
      const [id, known] = own.length > 0 ? random.pick(own) : [];
      return id && known ? setStatus(patient, ledger, id, known, 'Cancelled') : undefined;
    }
    case 'cancel order': {
      const orders = [...ledger.orders].filter(([, { customer }]) => customer === email);
      const [id, known] = orders.length > 0 ? random.pick(orders) : [];
      if (id && known)
        settle(await patient.ask('PATCH', `/orderMedi/${id}`, { newStatus: 'Cancelled' }), (sure) =>
          ledger.changed(known, 'Cancelled', sure),
        );
      return undefined;
    }
    case 'look':
      return patient.ask(
        'GET',
        random.pick([`/appoinments?email=${email}&limit=20`, `/orderMedi?email=${email}&limit=20`, '/jwt/session']),
      );
  }
}

async function book(patient: Visitor, random: Random, ledger: Ledger, doctor: Doctor): Promise<void> {
  const slot = { date: dayAhead(random), time: random.pick(doctor.availableTimes) };
  const body = {
    patientname: 'Chaos Patient',
    patientemail: patient.email,
    age: 36,
    address: '1 Storm Road',
    number: '+880 1555 010999',
    ...slot,
    doctoremail: doctor.email,
  };
  const made = await patient.insist('POST', '/appoinments', body, { 'idempotency-key': key(random) });
  if (made.status === 201) ledger.booked((made.body as Appointment)._id, patient.email, `${slot.date} ${slot.time}`);
}

async function order(patient: Visitor, random: Random, ledger: Ledger, medicines: readonly Medicine[]): Promise<void> {
  const items = random
    .shuffled(medicines)
    .slice(0, 1 + random.below(3))
    .map(({ medicine }) => ({ medicineId: medicine.medicineId, quantity: 1 + random.below(3) }));
  const made = await patient.insist(
    'POST',
    '/orderMedi',
    { items, deliveryAddress: '1 Storm Road', customeremail: patient.email, customerPhone: '+880 1555 010999' },
    { 'idempotency-key': key(random) },
  );
  if (made.status === 201) ledger.ordered((made.body as Order)._id, patient.email);
}

async function move(
  patient: Visitor,
  random: Random,
  ledger: Ledger,
  doctors: readonly Doctor[],
  [id, known]: readonly [string, KnownAppointment],
): Promise<void> {
  const slot = { date: dayAhead(random), time: random.pick(random.pick(doctors).availableTimes) };
  const end = ledger.begin(known);
  const moved = await patient.ask('PATCH', `/appoinments/${id}`, slot);
  const alone = end();
  if (moved.status === 200 || moved.unknown)
    ledger.moved(
      known,
      `${slot.date} ${slot.time}`,
      moved.status === 200 ? (moved.body as Appointment) : undefined,
      alone,
    );
}

async function confirm(staff: Visitor, random: Random, ledger: Ledger): Promise<void> {
  const pending = [...ledger.appointments].filter(([, { statuses }]) => statuses.has('Pending'));
  const [id, known] = pending.length > 0 ? random.pick(pending) : [];
  if (id && known) await setStatus(staff, ledger, id, known, 'Confirmed');
}

async function beAdmin(admin: Visitor, random: Random, ledger: Ledger): Promise<unknown> {
  return random.pick([
    () => confirm(admin, random, ledger),
    () => admin.ask('GET', '/users?limit=20'),
    () => admin.ask('GET', '/appoinments?limit=20'),
    () => admin.ask('GET', '/access-events/all?limit=20'),
  ])();
}

function beDoctor(doctor: Visitor, random: Random): Promise<unknown> {
  return random.pick([
    () => doctor.ask('GET', `/appoinments?email=${doctor.email}&limit=20`),
    () => doctor.ask('GET', `/appoinments/unconfirmed?email=${doctor.email}`),
  ])();
}

function browse(guest: Visitor, random: Random, doctors: readonly Doctor[]): Promise<unknown> {
  return guest.ask(
    'GET',
    random.pick([
      '/doctors?limit=12',
      '/medicine?limit=12',
      `/doctors/${random.pick(doctors)._id}/free-times?date=${dayAhead(random)}`,
    ]),
  );
}

async function bePharmacist(
  pharmacist: Visitor,
  random: Random,
  ledger: Ledger,
  medicines: readonly Medicine[],
): Promise<unknown> {
  if (random.below(4) === 0) {
    const { _id } = random.pick(medicines);
    const by = random.pick([-3, -2, -1, 1]);
    const reason = by < 0 ? 'broken' : 'counted';
    return pharmacist.insist(
      'POST',
      `/medicine/${_id.$oid}/adjustments`,
      { by, reason },
      { 'idempotency-key': key(random) },
    );
  }
  if (random.below(3) === 0) {
    const { _id, medicine } = random.pick(medicines);
    const restock = 1 + random.below(20);
    settle(await pharmacist.ask('PATCH', `/medicine/${_id.$oid}`, { restock }), (sure) =>
      ledger.restock(medicine.medicineId, restock, sure),
    );
    return undefined;
  }
  const orders = [...ledger.orders];
  const [id, known] = orders.length > 0 ? random.pick(orders) : [];
  if (!id || !known) return pharmacist.ask('GET', '/orderMedi?limit=20');
  const newStatus = random.pick(['Shipped', 'Delivered'] as const);
  settle(await pharmacist.ask('PATCH', `/orderMedi/${id}`, { newStatus }), (sure) =>
    ledger.changed(known, newStatus, sure),
  );
  return undefined;
}

async function setStatus(
  who: Visitor,
  ledger: Ledger,
  id: string,
  known: KnownAppointment,
  newStatus: 'Confirmed' | 'Cancelled',
): Promise<void> {
  const end = ledger.begin(known);
  const outcome = await who.ask('PATCH', `/update-appoinment/${id}`, { newStatus });
  const alone = end();
  settle(outcome, (sure) => ledger.changed(known, newStatus, sure, alone));
}

function settle({ status, unknown }: Outcome, note: (sure: boolean) => void): void {
  if (status === 200 || unknown) note(status === 200);
}

/** An idempotency key as a browser makes one. */
const key = (random: Random): string =>
  `chaos-${Array.from({ length: 4 }, () => random.below(2 ** 32).toString(36)).join('')}`;
