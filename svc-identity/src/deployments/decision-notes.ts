import type { ReleaseAction } from '@clinic/contracts/event-actions';
import type { ReleaseDecision } from '@clinic/static-server/release-decisions';
import type { ClientSession, Collection } from 'mongodb';
import type { IdentityContext } from '../settings.ts';

/** A decision about a front-end's releases, as recorded in its files. */
export interface Decision {
  /** The front-end. */
  readonly name: string;
  readonly kind: ReleaseDecision['kind'] | 'promoted' | 'rolled back';
  /** ISO instant. */
  readonly at: string;
}

/** The history's actions. */
export const actionOf = {
  pin: 'release pinned',
  unpin: 'release unpinned',
  rollback: 'release rolled back',
  canary: 'canary started',
  stop: 'canary stopped',
  promoted: 'canary promoted',
  'rolled back': 'canary rolled back',
} as const satisfies Record<Decision['kind'], ReleaseAction>;

/** A decision that is in the history; or, with the id `beginning`, when these notes began. */
interface Note {
  readonly _id: string;
  readonly at: string;
}

const beginning = 'beginning';

function notesOf({ db }: Pick<IdentityContext, 'db'>): Collection<Note> {
  return db.collection('releaseDecisions');
}

/** By instant: numbers restart in a new folder of releases. */
const idOf = ({ name, kind, at }: Decision): string => `${name} ${kind} ${at}`;

/**
 * Records when these notes begin; earlier decisions count as being in the history. Also creates the collection, as not
 * every database can do that in a transaction.
 */
export async function prepareDecisionNotes(context: Pick<IdentityContext, 'db'>): Promise<void> {
  const at = new Date().toISOString();
  await notesOf(context).updateOne({ _id: beginning }, { $setOnInsert: { at } }, { upsert: true });
}

/**
 * Records that a decision is in the history, in the transaction that adds the event.
 *
 * @throws MongoServerError duplicate key if it is there already
 */
export async function noteDecision(
  context: Pick<IdentityContext, 'db'>,
  session: ClientSession,
  decision: Decision,
): Promise<void> {
  await notesOf(context).insertOne({ _id: idOf(decision), at: decision.at }, { session });
}

/** The decisions that aren't in the history yet. */
export async function withoutNote<Kind extends Decision>(
  context: Pick<IdentityContext, 'db'>,
  decisions: readonly Kind[],
): Promise<readonly Kind[]> {
  if (decisions.length === 0) return [];
  const notes = await notesOf(context)
    .find({ _id: { $in: [beginning, ...decisions.map(idOf)] } })
    .toArray();
  const known = new Map(notes.map(({ _id, at }) => [_id, at]));
  const since = known.get(beginning) ?? '';
  return decisions.filter((decision) => decision.at > since && !known.has(idOf(decision)));
}
