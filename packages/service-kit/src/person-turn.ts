import type { ClientSession, Collection, Db } from 'mongodb';
import { ProblemError } from './problem-error.ts';

/** What is known of somebody who does things here: nothing but that they did. */
interface PersonTurn {
  /** The user's id. */
  readonly _id: string;
  readonly turns: number;
  /** Deleted then: nothing more happens in their name. */
  readonly erasedAt?: Date;
  /** What {@link countOfDay} counted on the last day on which it did. */
  readonly ofDay?: { readonly day: string; readonly count: number };
}

const turnsOf = (db: Db): Collection<PersonTurn> => db.collection('persons');

/**
 * Lets what one person does happen one after the other, across all replicas. Transactions that only count what is there
 * and add to it would not collide by themselves, and together exceed any limit: each also writes the person's one
 * document, and the later one is repeated and counts again.
 *
 * @param userId - the caller's id
 * @throws ProblemError unauthenticated when the person has been deleted, however recently
 */
export async function takePersonTurn({ db }: { readonly db: Db }, session: ClientSession, userId: string): Promise<void> {
  if (!(await takeTurnFor({ db }, session, userId))) throw new ProblemError('unauthenticated', { detail: 'This account has been deleted.' });
}

/**
 * Like {@link takePersonTurn} for what others do to a person's records, so that it can't overtake what the person does at
 * the same moment.
 *
 * @param userId - whose records are changed
 * @returns `false`: the person has been deleted
 */
export async function takeTurnFor({ db }: { readonly db: Db }, session: ClientSession, userId: string): Promise<boolean> {
  const person = await turnsOf(db).findOneAndUpdate({ _id: userId }, { $inc: { turns: 1 } }, { upsert: true, returnDocument: 'after', session });
  return person?.erasedAt === undefined;
}

/**
 * Counts one more of what a person may do only so often a day, in the transaction that does it: what is rolled back was not
 * counted. Call it after {@link takePersonTurn}, which keeps two transactions from reading the same count.
 *
 * @param day - 'yyyy-mm-dd' in the clinic's time zone; another day than the last one starts at zero
 * @param most - how often a day
 * @returns `false`: that was the limit, and nothing was counted
 */
export async function countOfDay({ db }: { readonly db: Db }, session: ClientSession, userId: string, day: string, most: number): Promise<boolean> {
  const person = await turnsOf(db).findOne({ _id: userId }, { session, projection: { ofDay: 1 } });
  const count = person?.ofDay?.day === day ? person.ofDay.count : 0;
  if (count >= most) return false;
  await turnsOf(db).updateOne({ _id: userId }, { $set: { ofDay: { day, count: count + 1 } } }, { session });
  return true;
}

/** From now on nothing is done in this person's name; what is under way is repeated, and then refused. */
export async function endPersonTurns({ db }: { readonly db: Db }, userId: string): Promise<void> {
  await turnsOf(db).updateOne({ _id: userId }, { $set: { erasedAt: new Date() }, $setOnInsert: { turns: 0 } }, { upsert: true });
}
