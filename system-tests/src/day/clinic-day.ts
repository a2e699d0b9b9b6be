import assert from 'node:assert/strict';
import { addDays, clinicInstant, clinicMoment, minuteOf, timeOf, type Right } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import { demoDoctors } from '@clinic/demo-data';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Answers, Visitor } from '../soak/visitor.ts';
import { bystanders, feedIsLive, people, type ThreeServices } from '../support/three-services.ts';
import { DeskScreen } from './desk-screen.ts';
import type { MovedClock } from './moved-clock.ts';
import { closesAt, opensAt, visitMinutes } from './people.ts';

const timeZone = 'Asia/Dhaka';

/** Days from the start of the demo clinic until the simulated one: none of the demo's appointments is on it. */
const daysAhead = 40;

/** A doctor at work. */
export interface WorkingDoctor {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly room: string;
  readonly who: Visitor;
}

/** The clinic on the simulated day, with its staff signed in. */
export interface ClinicDay {
  readonly services: ThreeServices;
  readonly clock: MovedClock;
  readonly answers: Answers;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  readonly admin: Visitor;
  /** Two receptionists: patients' accounts with that right. */
  readonly desks: readonly [Visitor, Visitor];
  /** Their pages of the reception. */
  readonly screens: readonly DeskScreen[];
  readonly doctors: readonly WorkingDoctor[];
  /** Path of the waiting-room screen. */
  readonly waitingRoom: string;
  /** Somebody at a browser of their own. */
  newVisitor(): Visitor;
  /** Minutes since midnight, and the time as 'HH:mm'. */
  now(): { readonly minute: number; readonly time: string };
  /** Moves the clock to a minute of the day, and waits until svc-clinic trusts sessions again. */
  moveTo(minute: number): Promise<void>;
  /** Waits until all services answer. */
  readonly ready: () => Promise<void>;
}

/** @param gatewayUrl - in front of the services */
export async function openDay(services: ThreeServices, gatewayUrl: string, clock: MovedClock): Promise<ClinicDay> {
  const answers = new Answers();
  const newVisitor = (): Visitor => new Visitor([gatewayUrl], answers);
  const date = addDays(clinicMoment(new Date(), timeZone).date, daysAhead);
  const ready = async (): Promise<void> => {
    await Promise.all(Object.values(services.urls).map((url) => feedIsLive(url)));
  };
  const moveClock = (minute: number): void =>
    clock.moveTo(clinicInstant({ date, time: timeOf(minute) }, timeZone).getTime());
  moveClock(opensAt - 60);
  await ready();
  const signedIn = async (email: string): Promise<Visitor> => {
    const who = newVisitor();
    await who.signIn(email);
    return who;
  };
  const admin = await signedIn(people.admin.email);
  const desk = async (email: string): Promise<Visitor> => {
    await giveRight(admin, email, 'reception');
    return signedIn(email);
  };
  const [first = '', second = ''] = bystanders;
  const desks = [await desk(first), await desk(second)] as const;
  const doctors = await Promise.all(
    demoDoctors
      .filter(({ isAvailable }) => isAvailable)
      .slice(0, 4)
      .map(async ({ email }, index) => work(admin, await signedIn(email), email, `Room ${index + 1}`)),
  );
  const { status, body } = await admin.insist('POST', '/appoinments/waiting-screen');
  assert.equal(status, 201);
  return {
    services,
    clock,
    answers,
    date,
    admin,
    desks,
    screens: desks.map((who) => new DeskScreen(who, date)),
    doctors,
    waitingRoom: `/waiting-room/${(body as { readonly secret: string }).secret}`,
    newVisitor,
    now: () => {
      const { time } = clinicMoment(new Date(), timeZone);
      return { time, minute: minuteOf(time) };
    },
    async moveTo(minute) {
      moveClock(minute);
      // Access tokens have ended: one page of a browser renews it for all.
      await Promise.all(
        [...desks, ...doctors.map(({ who }) => who), admin].map((who) => who.insist('POST', '/jwt/refresh')),
      );
      // Nobody is trusted until the next sign of life of svc-identity.
      await desks[0].insist('GET', `/appoinments/day?date=${date}`);
    },
    ready,
  };
}

async function giveRight(admin: Visitor, email: string, right: Right): Promise<void> {
  const { status } = await admin.insist('PATCH', `/users/${email}/rights`, { right, given: true });
  assert.equal(status, 200);
}

/** Gives a doctor the day's hours, in a room of their own. */
async function work(admin: Visitor, who: Visitor, email: string, room: string): Promise<WorkingDoctor> {
  const [doctor] = (await admin.insist('GET', `/doctors?email=${email}`)).body as readonly Doctor[];
  assert.ok(doctor);
  const path = `/doctors/${doctor._id}/schedule`;
  const { version } = (await admin.insist('GET', path)).body as { readonly version: string };
  const span = { from: timeOf(opensAt), until: timeOf(closesAt), place: room };
  const hours = weekdays.map((day) => ({ day, ...span }));
  const changed = await admin.insist('PATCH', path, {
    version,
    takesAppointments: true,
    daysOff: [],
    exceptions: [],
    periods: [{ slotMinutes: visitMinutes, bufferMinutes: 0, hours }],
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  return { id: doctor._id, name: doctor.name, email, room, who };
}

/** What the service has of the day, once both receptionists' pages show it. */
export async function screensAgree({ desks, date, screens }: ClinicDay): Promise<DeskScreen['visits']> {
  const { body } = await desks[0].insist('GET', `/appoinments/day?date=${date}`);
  const { visits, complete } = body as { readonly visits: DeskScreen['visits']; readonly complete: boolean };
  assert.ok(complete);
  await waitUntil(() => {
    for (const screen of screens) assert.deepEqual(screen.visits, visits);
  });
  return visits;
}
