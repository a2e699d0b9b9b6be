import { appendEvent, escapeRegex, readPage, type ContextFor, type ListAnswer, type PageQuery, type ServiceRequest } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { {{Name}}Entry } from '../contract/calls.ts';
import { entriesOf, onTheWire, type EntryRecord } from './entry-record.ts';

type Context = ContextFor<Record<never, never>>;

/** One page of the entries, or all of them; `q` searches the title. */
export function listEntries(context: Context, query: PageQuery & { readonly q?: string | undefined }): Promise<ListAnswer<{{Name}}Entry>> {
  const filter = query.q ? { title: { $regex: escapeRegex(query.q), $options: 'i' } } : {};
  return readPage(entriesOf(context), { filter, query, sorts: { newest: { writtenAt: -1, _id: -1 } }, defaultSort: 'newest', map: onTheWire });
}

/** Creates an entry and its history event in one transaction. */
export async function addEntry(context: Context, session: ClientSession, { body, caller, call, requestId }: ServiceRequest<'add{{Name}}Entry'>): Promise<{{Name}}Entry> {
  const entry: EntryRecord = { _id: new ObjectId(), ...body, author: caller.email, authorId: caller.id, writtenAt: new Date() };
  await entriesOf(context).insertOne(entry, { session });
  const record = { type: 'entry', id: entry._id.toHexString() };
  await appendEvent(context, session, {
    call, caller, requestId, record, concerns: [caller.email], accounts: [caller.id], action: 'entry written', before: null, after: { title: body.title },
  });
  return onTheWire(entry);
}
