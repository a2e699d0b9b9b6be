import { ownedBy } from '@clinic/service-kit';
import type { Collection, Db, ObjectId } from 'mongodb';
import type { {{Name}}Entry } from '../contract/calls.ts';

/** An entry in the database. */
export interface EntryRecord {
  readonly _id: ObjectId;
  readonly title: string;
  readonly note: string;
  /** Email of the author, lower case. */
  readonly author: string;
  /** The author's account. */
  readonly authorId: string;
  readonly writtenAt: Date;
}

export const entriesOf = ({ db }: { readonly db: Db }): Collection<EntryRecord> => db.collection('entries');

/** An entry in its wire shape. */
export function onTheWire({ _id, title, note, author, authorId, writtenAt }: EntryRecord): {{Name}}Entry {
  const entry = { _id: _id.toHexString(), title, note, author, writtenAt: writtenAt.toISOString() };
  return ownedBy({ email: author, id: authorId }, entry);
}
