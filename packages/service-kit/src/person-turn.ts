import type { ClientSession, Collection, Db } from 'mongodb';
import { ProblemError } from './problem-error.ts';

/** What is known of somebody who does things here: nothing but that they did. */
interface PersonTurn {
  /** The user's id. */
  readonly _id: string;
  readonly turns: number;
  /** Deleted then: nothing more happens in their name. */
  readonly erasedAt?: Date;
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
  const person = await turnsOf(db).findOneAndUpdate({ _id: userId }, { $inc: { turns: 1 } }, { upsert: true, returnDocument: 'after', session });
  if (person?.erasedAt) throw new ProblemError('unauthenticated', { detail: 'This account has been deleted.' });
}

/** From now on nothing is done in this person's name; what is under way is repeated, and then refused. */
export async function endPersonTurns({ db }: { readonly db: Db }, userId: string): Promise<void> {
  await turnsOf(db).updateOne({ _id: userId }, { $set: { erasedAt: new Date() }, $setOnInsert: { turns: 0 } }, { upsert: true });
}
