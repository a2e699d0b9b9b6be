import { clinicInstant, clinicMoment } from '@clinic/contracts';
import { addToTallies, dayExpression, daysOfMonth, instantsOf, keepTallies, replaceTallies, tallySlot, type IndexPlan, type ReportPeriod, type Tally } from '@clinic/service-kit';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from './user-record.ts';

/** Rollup of the existing accounts created on a day, split into shards, see `tallySlot`. */
export interface UserTally extends Tally {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly day: string;
  readonly created: number;
}

export const userTallyIndexes: IndexPlan = { userTallies: [{ key: { day: 1 } }] };

export function userTalliesOf({ db }: { readonly db: Db }): Collection<UserTally> {
  return db.collection('userTallies');
}

/** Counts a new (1) or deleted (-1) account, in the transaction that creates or deletes it. */
export async function countUser(context: IdentityContext, session: ClientSession, { createdAt }: Pick<UserRecord, 'createdAt'>, by: 1 | -1): Promise<void> {
  const day = clinicMoment(createdAt, context.settings.CLINIC_TZ).date;
  await addToTallies(userTalliesOf(context), session, [{ key: `${day} ${tallySlot(session)}`, about: { day }, add: { created: by } }]);
}

/** The shard for rebuilt rollups. */
const ownSlot = 'counted';

/**
 * Rebuilds the rollups at start if they are missing, don't match the accounts, or are of another time zone.
 *
 * @returns number of months rebuilt
 */
export async function keepUserTallies(context: IdentityContext): Promise<number> {
  const timeZone = context.settings.CLINIC_TZ;
  return keepTallies(context, {
    version: `1 ${timeZone}`,
    inStep: (session) => inStep(context, session),
    nextMonth: (month) => nextMonth(context, month, timeZone),
    countMonth: (month, session) => countMonth(context, { ...daysOfMonth(month), timeZone }, session),
  });
}

async function inStep(context: IdentityContext, session: ClientSession): Promise<boolean> {
  const [told] = await userTalliesOf(context).aggregate<{ readonly created: number }>([{ $group: { _id: null, created: { $sum: '$created' } } }], { session }).toArray();
  return (told?.created ?? 0) === (await usersOf(context).countDocuments({}, { session }));
}

async function nextMonth(context: IdentityContext, month: string, timeZone: string): Promise<string | undefined> {
  const since = month === '' ? {} : { createdAt: { $gte: clinicInstant({ date: `${month}-01`, time: '00:00' }, timeZone) } };
  const user = await usersOf(context).findOne(since, { sort: { createdAt: 1, _id: 1 }, projection: { createdAt: 1 } });
  const tally = await userTalliesOf(context).findOne({ day: { $gte: month } }, { sort: { day: 1 }, projection: { day: 1 } });
  const days = [...(user ? [clinicMoment(user.createdAt, timeZone).date] : []), ...(tally ? [tally.day] : [])];
  return days.map((day) => day.slice(0, 7)).toSorted()[0];
}

async function countMonth(context: IdentityContext, period: ReportPeriod, session: ClientSession): Promise<void> {
  const rows = await usersOf(context)
    .aggregate<{ readonly _id: string; readonly created: number }>(
      [{ $match: { createdAt: instantsOf(period) } }, { $group: { _id: dayExpression('$createdAt', period), created: { $sum: 1 } } }],
      { session },
    )
    .toArray();
  const tallies = rows.map(({ _id: day, created }): UserTally => ({ _id: `${day} ${ownSlot}`, day, created }));
  await replaceTallies(userTalliesOf(context), { day: { $gte: period.from, $lte: period.to } }, tallies, session);
}
