import type { ParsedQuery } from '@clinic/contracts';
import type { Doctor } from '../contract/schemas.ts';
import { page, rejected, type ListAnswer, type ProblemError } from '@clinic/service-kit';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import { withHolidays } from '../schedule/holidays.ts';
import { toDoctor, type DoctorRecord, type FreeDay } from './doctor-record.ts';
import { doctorFilter, doctorSorts } from './find-doctors.ts';
import { nextFreeDays, type Period } from './next-free.ts';

type DoctorQuery = ParsedQuery<'listDoctors'>;

/** Fields that decide when and in which order doctors are shown; the rest is read for the page alone. */
const projection = {
  email: 1,
  isAvailable: 1,
  suspended: 1,
  availableTimes: 1,
  daysOff: 1,
  hours: 1,
  specialization: 1,
  nameKey: 1,
  experience: 1,
  rating: 1,
} as const satisfies Partial<Record<keyof DoctorRecord, 1>>;

type Candidate = Pick<DoctorRecord, '_id' | keyof typeof projection>;

/**
 * Maximum doctors whose free times a request works out. A thousand take about a tenth of a second, during which the
 * service does nothing else; no clinic has that many of one specialty.
 */
export const mostDoctorsByTime = 2_000;

/** Sorts after every slot: doctors without a free time come last. */
const never = '9999';

/** Whether a list depends on when doctors are free; other lists are read in the order of an index. */
export function isByTime({ from, until, part, sort }: DoctorQuery): boolean {
  // Also for an unknown order, which is then rejected with the names of all.
  return (
    (sort !== undefined && !Object.hasOwn(doctorSorts, sort)) ||
    from !== undefined ||
    until !== undefined ||
    part !== undefined
  );
}

/**
 * The doctors of the directory by when they can be seen: with a period only those who are free in it, each with the first
 * day of it and its free times; soonest first unless another order is given.
 *
 * When somebody is free follows from the appointments and changes with every minute, so no index can hold it: the
 * directory's doctors are read without their texts, and their held slots through one index.
 *
 * @throws ProblemError validation_failed for an unknown order, an invalid cursor, or more than `mostDoctorsByTime` doctors
 */
export async function doctorsByTime(
  context: ClinicContext,
  query: DoctorQuery,
): Promise<ListAnswer<Doctor> | Doctor[]> {
  const collections = collectionsOf(context.db);
  const { doctors, appointments } = collections;
  const clock = await withHolidays(clinicClock(context.settings), collections);
  const period: Period = { from: query.from, until: query.until, part: query.part };
  const narrowed = Object.values(period).some((value) => value !== undefined);
  const sort = query.sort ?? 'soonest';
  const candidates = await doctors
    .find(doctorFilter(query))
    .project<Candidate>(projection)
    .sort(doctorSorts.name)
    .limit(mostDoctorsByTime + 1)
    .toArray();
  if (candidates.length > mostDoctorsByTime) throw tooMany();
  const free = await nextFreeDays(appointments, candidates, clock, period);
  const listed = candidates.filter(({ email }) => !narrowed || free.has(email));
  const order = orderOf(sort, free);
  const keyed = listed
    .map((doctor) => ({ doctor, key: order(doctor) }))
    .toSorted((one, other) => compareKeys(one.key, other.key));
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, sort);
  const rest = after ? keyed.filter(({ key }) => compareKeys(key, after) > 0) : keyed;
  const shown = query.limit === undefined ? rest : rest.slice(0, query.limit);
  const records = new Map<string, DoctorRecord>();
  const ids = shown.map(({ doctor }) => doctor._id);
  for await (const record of doctors.find({ _id: { $in: ids } })) records.set(record._id.toHexString(), record);
  const rows = shown.flatMap(({ doctor }) => {
    const record = records.get(doctor._id.toHexString());
    return record ? [toDoctor(record, clock, free.get(doctor.email))] : [];
  });
  if (query.limit === undefined) return rows;
  const last = shown.at(-1);
  return page({
    rows,
    total: { count: listed.length, exact: true },
    next: rest.length > shown.length && last ? writeCursor(sort, last.key) : undefined,
  });
}

/** A row's place in the list; the last part is its id, so that no two are equal. */
type Key = readonly [string | number, string, string];

function orderOf(sort: string, free: ReadonlyMap<string, FreeDay>): (doctor: Candidate) => Key {
  switch (sort) {
    case 'soonest':
      return ({ email, nameKey, _id }) => {
        const day = free.get(email);
        return [day ? `${day.date} ${day.times[0]}` : never, nameKey, _id.toHexString()];
      };
    case 'name':
      return ({ nameKey, _id }) => [nameKey, '', _id.toHexString()];
    case 'experience':
      return ({ experience, _id }) => [-experience, '', _id.toHexString()];
    case 'rating':
      return ({ rating, _id }) => [-rating, '', _id.toHexString()];
    default: {
      const message = `Sort must be one of ${[...Object.keys(doctorSorts), 'soonest'].join(', ')}`;
      throw rejected('sort', message, { detail: message });
    }
  }
}

function compareKeys(one: Key, other: Key): number {
  for (const [place, value] of one.entries()) {
    const against = other[place] ?? '';
    if (typeof value === 'number' && typeof against === 'number') {
      if (value !== against) return value - against;
      continue;
    }
    // In the database's order, which compares UTF-8, not UTF-16.
    const order = Buffer.compare(Buffer.from(String(value)), Buffer.from(String(against)));
    if (order !== 0) return order;
  }
  return 0;
}

function tooMany(): ProblemError {
  const message = 'There are too many doctors to find out who is free. Choose a specialty or search for a name';
  return rejected('sort', message, { detail: `${message}.` });
}

function writeCursor(sort: string, key: Key): string {
  return Buffer.from(JSON.stringify(['listDoctors by time', sort, ...key])).toString('base64url');
}

function readCursor(cursor: string, sort: string): Key {
  const parts = decode(cursor);
  const [list, ofSort, first, second, third] = parts;
  if (
    parts.length !== 5 ||
    list !== 'listDoctors by time' ||
    ofSort !== sort ||
    typeof first !== (sort === 'experience' || sort === 'rating' ? 'number' : 'string') ||
    typeof second !== 'string' ||
    typeof third !== 'string'
  )
    throw badCursor();
  return [first as string | number, second, third];
}

function decode(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value)) return value;
  } catch (error) {
    // Not JSON, so not one of our cursors.
    throw badCursor(error);
  }
  throw badCursor();
}

function badCursor(cause?: unknown): ProblemError {
  const message = 'This cursor isn’t valid for this list. Start again without it';
  return rejected('cursor', message, { detail: message, cause });
}
