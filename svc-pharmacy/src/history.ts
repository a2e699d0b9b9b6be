import { toMajor, type HistoryEntry, type Role } from '@clinic/contracts';
import type { HistoryEvent } from '@clinic/service-kit';
import type { Db } from 'mongodb';

/** Most changes that are told of one record; older ones stay in the database. */
const mostEntries = 200;

/** What a record's history says, and to whom. */
export interface HistoryReader {
  readonly role: Role;
  /** Lower case. */
  readonly email: string;
}

/**
 * What happened to a record, the latest first. Customers learn that the pharmacy acted, not who there did.
 *
 * @param id - of the record, 24 hexadecimal digits
 */
export async function historyOf(db: Db, type: 'medicine' | 'order', id: string, reader: HistoryReader): Promise<HistoryEntry[]> {
  const events = db.collection<HistoryEvent>('events').find({ 'record.type': type, 'record.id': id });
  const latest = await events.sort({ at: -1 }).limit(mostEntries).toArray();
  return latest.map((event) => toHistoryEntry(event, reader));
}

function toHistoryEntry({ at, action, actor, before, after }: HistoryEvent, reader: HistoryReader): HistoryEntry {
  const named = reader.role === 'admin' || reader.role === 'pharmacist' || actor?.email === reader.email;
  return {
    at: at.toISOString(),
    action,
    ...(actor && { actor: { role: actor.role as Role, ...(named && { email: actor.email }) } }),
    before: before === null ? null : fieldsOnTheWire(before as Fields),
    after: fieldsOnTheWire(after as Fields),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The changed fields under the names that the record itself has on the wire. */
export function fieldsOnTheWire({ nameKey: _key, priceMinor, ...fields }: Fields): Record<string, unknown> {
  return typeof priceMinor === 'number' ? { ...fields, pricePerUnit: toMajor(priceMinor) } : fields;
}
