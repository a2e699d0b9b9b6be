import { erasedEmail } from '@clinic/contracts/erased-person';
import { erasingUpdate, forgetInHistory, withoutPersonInHistory, type ContextFor, type Erased, type OpenDeletion } from '@clinic/service-kit';
import { entriesOf } from '../entries/entry-record.ts';
import { authorDeleted, entriesBy, entryInCopy } from './personal-records.ts';

/**
 * Erases a person from this service, as personal-records.ts declares; may be repeated after any interruption.
 *
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(context: ContextFor<Record<never, never>>, { person }: OpenDeletion, until: number): Promise<Erased> {
  const entries = entriesOf(context);
  const author = erasedEmail(person.id);
  let records = 0;
  for (const theirs of entriesBy(person))
    for await (const entry of entries.find({ ...theirs, author: { $ne: author } })) {
      if (performance.now() > until) return { done: false, records };
      await entries.updateOne({ _id: entry._id }, erasingUpdate(entry, authorDeleted, { author }));
      records += 1;
    }
  const { done } = await forgetInHistory(context, person, {
    until,
    redact: (fields) => withoutPersonInHistory(fields, { rules: authorDeleted, inCopy: entryInCopy, instead: { author }, alsoKept: [] }),
  });
  return { done, records };
}
