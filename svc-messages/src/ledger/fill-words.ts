import { BackgroundLoop, rewriteRecords } from '@clinic/service-kit';
import type { Collection, Filter } from 'mongodb';
import type { MessagesContext } from '../settings.ts';
import { messagesOf, recipientWords, type MessageRecord } from './message-record.ts';

/** Milliseconds between two looks for messages without words. */
const lookEvery = 10_000;

/** Each look goes back this far (milliseconds): replicas' clocks differ, and a message being changed is left for the next. */
const overlap = 60_000;

/** Milliseconds after which it is noted how far messages have words: an idle service writes little. */
const noteEvery = 3_600_000;

/** Messages read and written at a time. */
const batchSize = 500;

interface Progress {
  readonly _id: 'message-words';
  /** Messages created before have words. */
  readonly at: Date;
}

const progressOf = ({ db }: Pick<MessagesContext, 'db'>): Collection<Progress> => db.collection('markers');

/** Messages since then that no search by name or address finds. */
export const withoutWords = (since: Date): Filter<MessageRecord> => ({
  createdAt: { $gte: since },
  words: { $exists: false },
});

/** Gives the messages that have none the words that find them, from where any replica has last noted. */
export async function fillWords(context: Pick<MessagesContext, 'db' | 'stopping'>): Promise<void> {
  const began = new Date();
  const progress = await progressOf(context).findOne({ _id: 'message-words' });
  const messages = messagesOf(context);
  const filter = withoutWords(new Date(progress ? progress.at.getTime() - overlap : 0));
  for (let found = batchSize; found === batchSize;) {
    const rows = await messages
      .find(filter, { projection: { _id: 1 } })
      .limit(batchSize)
      .toArray();
    const ids = rows.map(({ _id }) => _id);
    found = ids.length;
    if (found > 0) await rewriteRecords(context, messages, ['to'], ({ to }) => ({ words: recipientWords(to) }), ids);
  }
  if (!progress || began.getTime() - progress.at.getTime() > noteEvery)
    await progressOf(context).updateOne({ _id: 'message-words' }, { $max: { at: began } }, { upsert: true });
}

/** Keeps at it: replicas of the previous release write no words, during an upgrade or after going back. */
export const wordsFiller = (context: MessagesContext): BackgroundLoop =>
  new BackgroundLoop(context, { what: 'keying messages', work: () => fillWords(context), every: lookEvery });
