import { minuteOf } from '@clinic/contracts';
import type { TestedService } from '../support/every-call.ts';
import type { Random } from '@clinic/mongo-embedded/testing/random';
import type { Visitor } from '../soak/visitor.ts';
import { screensAgree, type ClinicDay } from './clinic-day.ts';
import { closesAt, opensAt, type Person } from './people.ts';
import { screensAgreeWith } from './agreement.ts';
import { book, cancel, confirm, contest, move, note, type Visit } from './visits.ts';

/** What became of somebody who came without an appointment, and found no free time. */
export const sentHome = 'sent home';

/** Visits that doctors take in a round, and those still inside at its end. */
const perRound = 4;

/** Several at a time, as many as a clinic's browsers at once. */
export async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>, atOnce = 8): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

/** The outages of the day, each in a round of its own. */
const outages: ReadonlyMap<number, TestedService> = new Map([
  [2, 'clinic'],
  [4, 'identity'],
  [6, 'messages'],
  [8, 'pharmacy'],
]);

/**
 * Lets everybody book, and passes the day in rounds of about three quarters of an hour: in each, everybody whose time has come acts at
 * once, and at its end all lists agree.
 *
 * @returns everybody's visit, or that they were sent home
 */
export async function runDay(
  day: ClinicDay,
  people: readonly Person[],
  random: Random,
): Promise<ReadonlyMap<Person, Visit | typeof sentHome>> {
  const visits = new Map<Person, Visit | typeof sentHome>();
  const browsers = await browsersOf(day, people);
  await inTurns(
    people.filter(({ walksInAt }) => walksInAt === undefined),
    async (person) => {
      const visit = await book(day, person, browsers.get(person), (times) => person.random.pick(times));
      if (visit && person.confirmed) await confirm(visit);
      visits.set(person, visit ?? sentHome);
    },
  );
  await Promise.all(day.screens.map((screen) => screen.open()));

  let minute = opensAt - 30;
  for (let round = 0; minute < closesAt + 60 || isOpen(visits); round += 1) {
    minute += 35 + random.below(20);
    await day.moveTo(minute);
    const acts = random.shuffled(actsOf(day, people, visits));
    const down = outages.get(round);
    await Promise.all([inTurns(acts, (act) => act()), ...(down ? [restart(day, down)] : [])]);
    await screensAgreeWith(day, visits, await screensAgree(day));
  }
  return visits;
}

async function restart({ services, ready }: ClinicDay, service: TestedService): Promise<void> {
  await services.stop(service);
  await services.start(service);
  await ready();
}

/** The browsers of those with an account, who register. */
async function browsersOf(day: ClinicDay, people: readonly Person[]): Promise<ReadonlyMap<Person, Visitor>> {
  const browsers = new Map<Person, Visitor>();
  await inTurns(
    people.filter(({ account }) => account),
    async (person) => {
      const { email, phone, name } = person;
      const [firstName, lastName] = name.split(' ');
      const who = day.newVisitor();
      await who.signIn(email, { firstName, lastName, phone, dateOfBirth: '1986-02-03' });
      browsers.set(person, who);
    },
  );
  return browsers;
}

const isVisit = (one: Visit | typeof sentHome): one is Visit => one !== sentHome;

/** Whether somebody's visit of the day hasn't ended yet. */
const isOpen = (visits: ReadonlyMap<Person, Visit | typeof sentHome>): boolean =>
  [...visits.values()].some(
    (one) => isVisit(one) && !one.done.has('another day') && one.status !== 'Cancelled' && !isOver(one),
  );

const isOver = ({ state }: Visit): boolean => state === 'finished' || state === 'missed';

type Act = () => Promise<void>;

/** What is done in a round: each visit is in the hands of one of them. */
function actsOf(day: ClinicDay, people: readonly Person[], visits: Map<Person, Visit | typeof sentHome>): Act[] {
  const taken = new Set<Visit>();
  const ofDoctors = day.doctors.map((doctor): Act => {
    const own = [...visits.values()].filter(isVisit).filter((visit) => visit.doctor === doctor);
    const inside = own.filter(({ state }) => state === 'with doctor');
    const waiting = own
      .filter(({ state }) => state === 'arrived' || state === 'called')
      .toSorted((one, other) => (one.arrivedAt ?? '').localeCompare(other.arrivedAt ?? ''));
    const next = [...inside, ...waiting].slice(0, perRound + 1);
    for (const visit of next) taken.add(visit);
    return async () => {
      for (const [index, visit] of next.entries()) await takeIn(day, visit, index === perRound);
    };
  });
  const ofPeople = people.flatMap((person): Act[] => {
    const visit = visits.get(person);
    if (visit === sentHome) return [];
    if (visit) return taken.has(visit) ? [] : actOf(day, visit);
    if ((person.walksInAt ?? 0) > day.now().minute) return [];
    return [
      async () => {
        const booked = await book(day, person, undefined, ([soonest = '']) => soonest);
        visits.set(person, booked ?? sentHome);
        if (booked) await arrive(day, booked);
      },
    ];
  });
  return [...ofDoctors, ...ofPeople];
}

/** The doctor calls a patient in and sees them. @param stays - the patient is still inside when the round ends */
async function takeIn(day: ClinicDay, visit: Visit, stays: boolean): Promise<void> {
  const { who } = visit.doctor;
  const [desk] = day.desks;
  if (visit.state === 'arrived' && visit.person.wish === 'leaves' && !visit.done.has('leaves')) {
    visit.done.add('leaves');
    await contest(visit, ['called', who], ['missed', desk]);
  }
  if (visit.state === 'missed') return;
  if (visit.state === 'arrived') await note(visit, 'called', who, desk);
  if (mistakes(visit, 'called')) {
    await note(visit, 'arrived', who);
    await note(visit, 'called', who);
  }
  if (visit.state === 'called') await note(visit, 'with doctor', who);
  if (stays) return;
  await note(visit, 'finished', who, who);
  if (!mistakes(visit, 'finished')) return;
  await note(visit, 'with doctor', desk);
  await note(visit, 'finished', who);
}

/** Whether this is what somebody notes by mistake, for the first time. */
function mistakes({ person, done }: Visit, what: NonNullable<Person['mistake']>): boolean {
  if (person.mistake !== what || done.has('mistake')) return false;
  done.add('mistake');
  return true;
}

/** What the patient, or the desk about them, does now; nothing if their time hasn't come. */
function actOf(day: ClinicDay, visit: Visit): Act[] {
  const { person, state, done, own } = visit;
  const { minute } = day.now();
  if (visit.status === 'Cancelled' || done.has('another day') || isOver(visit)) {
    const comes = state === 'missed' && person.wish === 'comes after all' && minute < closesAt;
    return comes && once(done, 'comes after all') ? [() => note(visit, 'arrived', day.desks[1])] : [];
  }
  if (state !== 'expected') return [];
  const start = minuteOf(visit.time);
  const desk = person.random.pick(day.desks);
  if (person.move && start - minute < 180 && start > minute && once(done, 'move')) {
    const { move: where } = person;
    return [
      async () => {
        await move(day, visit, desk, where);
        if (visit.date !== day.date) done.add('another day');
      },
    ];
  }
  if (person.wish === 'cancels' && start > minute) {
    // Patients cancel in time; later only the desk can.
    const inTime = start - minute > 130;
    return start - minute < 240 ? [() => cancel(day, visit, (inTime && own) || desk)] : [];
  }
  const stays = person.wish === 'stays away' || (person.wish === 'comes after all' && !done.has('comes after all'));
  if (stays) return minute > start + 20 ? [() => note(visit, 'missed', ...day.desks)] : [];
  return minute >= start + person.lateness ? [() => arrive(day, visit)] : [];
}

function once(done: Set<string>, what: string): boolean {
  if (done.has(what)) return false;
  done.add(what);
  return true;
}

async function arrive(day: ClinicDay, visit: Visit): Promise<void> {
  const { person, own } = visit;
  const [first, second] = day.desks;
  const by = {
    desk: [first],
    'both desks': [first, second],
    phone: [own ?? first],
    'phone and desk': [own ?? first, second],
  }[person.arrival];
  await note(visit, 'arrived', ...by);
  if (!mistakes(visit, 'arrived')) return;
  await note(visit, 'expected', second);
  await note(visit, 'arrived', first);
}
