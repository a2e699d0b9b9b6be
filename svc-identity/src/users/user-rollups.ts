import { clinicInstant, clinicMoment } from '@clinic/contracts';
import {
  addToRollups,
  dayExpression,
  daysOfMonth,
  instantsOf,
  replaceRollups,
  rollupShard,
  type IndexPlan,
  type ReportPeriod,
  type Rollup,
  type RollupPlan,
} from '@clinic/service-kit';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from './user-record.ts';

/** Rollup of the existing accounts created on a day, split into shards, see `rollupShard`. */
export interface UserRollup extends Rollup {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly day: string;
  readonly created: number;
}

export const userRollupIndexes: IndexPlan = { userTallies: [{ key: { day: 1 } }] };

export function userRollupsOf({ db }: { readonly db: Db }): Collection<UserRollup> {
  return db.collection('userTallies');
}

/** Counts a new (1) or deleted (-1) account, in the transaction that creates or deletes it. */
export async function countUser(
  context: IdentityContext,
  session: ClientSession,
  { createdAt }: Pick<UserRecord, 'createdAt'>,
  by: 1 | -1,
): Promise<void> {
  const day = clinicMoment(createdAt, context.settings.CLINIC_TZ).date;
  await addToRollups(userRollupsOf(context), session, [
    { key: `${day} ${rollupShard(session)}`, about: { day }, add: { created: by } },
  ]);
}

/** The shard for rebuilt rollups. */
const rebuiltShard = 'counted';

/** Keeps the rollups right if they are missing, don't match the accounts, or are of another time zone. */
export function userRollupPlan(context: IdentityContext): RollupPlan {
  const timeZone = context.settings.CLINIC_TZ;
  return {
    what: 'users',
    version: `1 ${timeZone}`,
    inStep: (month, session) => inStep(context, { ...daysOfMonth(month), timeZone }, session),
    nextMonth: (month) => nextMonth(context, month, timeZone),
    countMonth: (month, session) => countMonth(context, { ...daysOfMonth(month), timeZone }, session),
  };
}

async function inStep(context: IdentityContext, period: ReportPeriod, session: ClientSession): Promise<boolean> {
  const [counted] = await userRollupsOf(context)
    .aggregate<{ readonly created: number }>(
      [
        { $match: { day: { $gte: period.from, $lte: period.to } } },
        { $group: { _id: null, created: { $sum: '$created' } } },
      ],
      { session },
    )
    .toArray();
  const users = await usersOf(context).countDocuments({ createdAt: instantsOf(period) }, { session });
  return (counted?.created ?? 0) === users;
}

async function nextMonth(context: IdentityContext, month: string, timeZone: string): Promise<string | undefined> {
  const since =
    month === '' ? {} : { createdAt: { $gte: clinicInstant({ date: `${month}-01`, time: '00:00' }, timeZone) } };
  const user = await usersOf(context).findOne(since, { sort: { createdAt: 1, _id: 1 }, projection: { createdAt: 1 } });
  const rollup = await userRollupsOf(context).findOne(
    { day: { $gte: month } },
    { sort: { day: 1 }, projection: { day: 1 } },
  );
  const days = [...(user ? [clinicMoment(user.createdAt, timeZone).date] : []), ...(rollup ? [rollup.day] : [])];
  return days.map((day) => day.slice(0, 7)).toSorted()[0];
}

async function countMonth(context: IdentityContext, period: ReportPeriod, session: ClientSession): Promise<void> {
  const rows = await usersOf(context)
    .aggregate<{ readonly _id: string; readonly created: number }>(
      [
        { $match: { createdAt: instantsOf(period) } },
        { $group: { _id: dayExpression('$createdAt', period), created: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  const rollups = rows.map(({ _id: day, created }): UserRollup => ({ _id: `${day} ${rebuiltShard}`, day, created }));
  await replaceRollups(userRollupsOf(context), { day: { $gte: period.from, $lte: period.to } }, rollups, session);
}
