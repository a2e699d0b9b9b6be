import { appendEvent, escapeRegex, readPage, type ContextFor, type ListAnswer, type PageQuery, type ServiceRequest } from '@clinic/service-kit';
import { ObjectId, type ClientSession, type Collection } from 'mongodb';
import type { {{Name}}Entry } from '../contract/schemas.ts';

/** An entry in the database. */
interface EntryDocument {
  readonly _id: ObjectId;
  readonly title: string;
  readonly note: string;
  readonly author: string;
  readonly writtenAt: Date;
}

type Context = ContextFor<Record<never, never>>;

export const entriesOf = ({ db }: Pick<Context, 'db'>): Collection<EntryDocument> => db.collection('entries');

function onTheWire({ _id, title, note, author, writtenAt }: EntryDocument): {{Name}}Entry {
  return { _id: _id.toHexString(), title, note, author, writtenAt: writtenAt.toISOString() };
}

/** One page of the entries, or all of them; `q` searches the title. */
export function listEntries(context: Context, query: PageQuery & { readonly q?: string | undefined }): Promise<ListAnswer<{{Name}}Entry>> {
  const filter = query.q ? { title: { $regex: escapeRegex(query.q), $options: 'i' } } : {};
  return readPage(entriesOf(context), { filter, query, sorts: { newest: { writtenAt: -1, _id: -1 } }, defaultSort: 'newest', map: onTheWire });
}

/** Creates an entry and its history event in one transaction. */
export async function addEntry(context: Context, session: ClientSession, { body, caller, call, requestId }: ServiceRequest<'add{{Name}}Entry'>): Promise<{{Name}}Entry> {
  const document: EntryDocument = { _id: new ObjectId(), ...body, author: caller.email, writtenAt: new Date() };
  await entriesOf(context).insertOne(document, { session });
  const record = { type: 'entry', id: document._id.toHexString() };
  await appendEvent(context, session, { call, caller, requestId, record, action: 'entry written', before: null, after: { title: body.title } });
  return onTheWire(document);
}
