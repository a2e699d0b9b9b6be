import { addDays, clinicInstant, clinicMoment } from '@clinic/contracts/clinic-time';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { Role } from '@clinic/contracts';
import type { ServiceContext } from '../context.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { BaseSettings } from '../settings/settings.ts';

/** Something that an account may do only so often on one day of the clinic. */
export interface DailyAct {
  /** Its name in DAILY_LIMITS and docs/privacy.md, e.g. `profile-changes`. */
  readonly act: string;
  /** The default limit. */
  readonly most: number;
  /** What the person has done, e.g. `changed your details`. */
  readonly done: string;
  /** What else they can do, e.g. `call the clinic`. */
  readonly instead?: string;
}

/** An account's counters of one day, in the document of its lock: whoever counts takes the lock, too. */
interface DayOfAccount {
  readonly _id: string;
  /** `day` is 'yyyy-mm-dd' in the clinic's time zone; a new day starts at zero. */
  readonly today?: { readonly day: string; readonly counts: Readonly<Record<string, number>> };
}

type Configured = Pick<BaseSettings, 'CLINIC_TZ' | 'DAILY_LIMITS'>;

/**
 * The settings of the service that a database handle belongs to. History is appended deep in domain functions, which
 * know the database and nothing else of the service.
 */
const configured = new WeakMap<Db, Configured>();

/** Makes the service's settings apply to what is counted in its database. */
export function configureDailyLimits(db: Db, settings: Configured): void {
  configured.set(db, settings);
}

const none: Configured = { CLINIC_TZ: 'UTC', DAILY_LIMITS: new Map() };

/** The limit that applies: the default, or what DAILY_LIMITS says. */
export const dailyLimit = (db: Db, { act, most }: Pick<DailyAct, 'act' | 'most'>): number =>
  (configured.get(db) ?? none).DAILY_LIMITS.get(act) ?? most;

/**
 * Counts an act towards an account's limit of the day, in the transaction of the act: whatever undoes the act undoes the
 * count, and concurrent acts of one account conflict and are retried, so that together they can't exceed the limit.
 *
 * @param by - how many
 * @throws ProblemError `rate_limited` until the clinic's midnight
 */
export async function countToday(
  { db }: { readonly db: Db },
  session: ClientSession,
  account: string,
  limited: DailyAct,
  by = 1,
): Promise<void> {
  const most = dailyLimit(db, limited);
  if ((await counted(db, session, account, limited.act, by)) > most) throw spent(db, limited, most);
}

/** @returns the account's count of the day, with this one */
async function counted(db: Db, session: ClientSession, account: string, act: string, by: number): Promise<number> {
  const days: Collection<DayOfAccount> = db.collection('persons');
  const day = clinicMoment(new Date(), (configured.get(db) ?? none).CLINIC_TZ).date;
  const field = `today.counts.${act}`;
  const known = await days.findOneAndUpdate(
    { _id: account, 'today.day': day },
    { $inc: { [field]: by } },
    { session, returnDocument: 'after' },
  );
  if (known) return known.today?.counts[act] ?? by;
  await days.updateOne(
    { _id: account },
    { $set: { today: { day, counts: { [act]: by } } }, $setOnInsert: { turns: 0 } },
    { session, upsert: true },
  );
  return by;
}

function spent(db: Db, { done, instead }: DailyAct, most: number): ProblemError {
  const { CLINIC_TZ: zone } = configured.get(db) ?? none;
  const now = new Date();
  const tomorrow = clinicInstant({ date: addDays(clinicMoment(now, zone).date, 1), time: '00:00' }, zone);
  const times = most === 1 ? 'once' : `${most} times`;
  return new ProblemError('rate_limited', {
    detail: `You’ve ${done} ${times} today, the most you can in one day. Try again tomorrow${instead === undefined ? '' : `, or ${instead}`}.`,
    retryAfter: Math.ceil((tomorrow.getTime() - now.getTime()) / 1_000),
  });
}

/** An export reads all that is kept about a person. */
const exports: DailyAct = { act: 'exports', most: 20, done: 'downloaded data', instead: 'call the clinic' };

/** Counts an export towards an account's limit of the day. @throws ProblemError `rate_limited` */
export function countExport(context: Pick<ServiceContext, 'db' | 'inTransaction'>, account: string): Promise<void> {
  return context.inTransaction((session) => countToday(context, session, account, exports));
}

/** Changes that one account may leave in a service's history on a day: more than a household makes by hand. */
const patients: DailyAct = { act: 'changes', most: 300, done: 'made changes', instead: 'call the clinic' };

/** The same for staff: imports and schedules change many records. */
const staff: DailyAct = { act: 'staff-changes', most: 100_000, done: 'made changes', instead: 'ask an administrator' };

/** Sign-ins have a ceiling of their own: it can only be reached by who can sign in. */
const signIns: DailyAct = { act: 'sign-ins', most: 300, done: 'logged in', instead: 'call the clinic' };

/**
 * What a spent limit mustn't stop: logging out, here and elsewhere, and deleting the account. What they end, somebody
 * has started before and was counted for.
 */
const neverStopped = /^(?:refreshSession$|end(?:Session|Sessions|OneSession)$|startErasure$|finishErasure$|erase)/;

/**
 * A member of staff may make many changes at once, which would conflict in one document; a share of the limit counts in
 * each of these.
 */
const shares = 16;

/**
 * Counts changes that an account is about to leave in the history.
 *
 * @param call - the call that makes them
 * @throws ProblemError `rate_limited`
 */
export async function countChanges(
  context: { readonly db: Db },
  session: ClientSession,
  { id, role }: { readonly id: string; readonly role: Role },
  call: string,
  changes: number,
): Promise<void> {
  if (neverStopped.test(call)) return;
  if (call === 'startSession') return countToday(context, session, id, signIns, changes);
  if (role === 'patient') return countToday(context, session, id, patients, changes);
  const most = dailyLimit(context.db, staff);
  const share = `${id} ${Math.floor(Math.random() * shares)}`;
  // A change may be larger than a share, e.g. an import.
  if ((await counted(context.db, session, share, staff.act, changes)) > Math.max(most / shares, changes))
    throw spent(context.db, staff, most);
}
