import { clinicInstant, clinicMoment } from '@clinic/contracts';
import { addToTallies, dayExpression, daysOfMonth, instantsOf, keepTallies, replaceTallies, tallySlot, type IndexPlan, type ReportPeriod, type Tally } from '@clinic/service-kit';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from './user-record.ts';

/** A part of the accounts that were created on a day and still exist; a day has one tally for each slot, see `tallySlot`. */
export interface UserTally extends Tally {
  /** 'yyyy-mm-dd', the clinic's day. */
  readonly day: string;
  readonly created: number;
}

export const userTallyIndexes: IndexPlan = { userTallies: [{ key: { day: 1 } }] };

export function userTalliesOf({ db }: { readonly db: Db }): Collection<UserTally> {
  return db.collection('userTallies');
}

/** Counts an account that comes (1) or goes (-1), in the transaction that makes or deletes it. */
export async function countUser(context: IdentityContext, session: ClientSession, { createdAt }: Pick<UserRecord, 'createdAt'>, by: 1 | -1): Promise<void> {
  const day = clinicMoment(createdAt, context.settings.CLINIC_TZ).date;
  await addToTallies(userTalliesOf(context), session, [{ key: `${day} ${tallySlot(session)}`, about: { day }, add: { created: by } }]);
}

/** The slot of what is counted again. */
const ownSlot = 'counted';

/**
 * Counts the accounts again where tallies are missing, out of step with them, or of another time zone's days. Runs at start.
 *
 * @returns number of months counted
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
