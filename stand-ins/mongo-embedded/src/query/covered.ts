import { decode } from '../bson/decode.ts';
import { TYPE_ORDER } from '../bson/values.ts';
import type { Doc } from '../bson/values.ts';
import type { Store } from '../storage/store.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { IndexScan } from './planner.ts';
import { scanTexts } from './scan.ts';
import type { ScanStatistics } from './scan.ts';

/**
 * The documents of a covered plan, with only the needed fields, from the index's keys. If one of them isn't a text, the
 * document is read: a key doesn't show a number's type, or whether the field was null or missing.
 */
export function* coveredDocs(
  store: Store,
  collection: Collection,
  plan: IndexScan,
  fields: ReadonlySet<string>,
  statistics: ScanStatistics,
): Generator<Doc> {
  const names = plan.index.fields.map(({ path }) => path.dotted);
  // Parts after the last needed field are ignored.
  const parts = names
    .slice(0, names.findLastIndex((name) => fields.has(name)) + 1)
    .map((name) => (fields.has(name) ? name : undefined));
  for (const entries of scanTexts(store, plan)) {
    for (const [key, rid] of entries) {
      statistics.keysExamined += 1;
      const doc = textsOf(key, parts);
      if (doc) {
        yield doc;
        continue;
      }
      const bytes = store.get(collection.id, Number(rid));
      if (!bytes) continue;
      statistics.docsExamined += 1;
      yield decode(bytes);
    }
  }
}

/** The texts of a key by the names of its parts, except parts without a name; undefined if one of them isn't a text. */
function textsOf(key: string, parts: readonly (string | undefined)[]): Doc | undefined {
  const doc: Doc = new Map();
  let at = 0;
  for (const name of parts) {
    if (key.charCodeAt(at) !== TYPE_ORDER.string) return undefined;
    const end = key.indexOf('\u0000', at + 1);
    if (name !== undefined) {
      const text = key.slice(at + 1, end);
      // The byte 1 escapes a byte of the text.
      if (text.includes('\u0001')) return undefined;
      doc.set(name, text);
    }
    at = end + 1;
  }
  return doc;
}
