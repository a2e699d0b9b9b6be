import { mostHistoryEntries } from '@clinic/contracts/limits';
import type { HistoryEntry } from '@clinic/contracts';

/** Says that a record has more history than is shown. @param entries - as shown, latest first */
export function EarlierChanges({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  // The first entry is of a new record.
  if (entries.length < mostHistoryEntries || entries.at(-1)?.before === null) return null;
  return (
    <p className="ui-hint mt-4">
      These are the latest {mostHistoryEntries} changes. Admins find earlier ones in History.
    </p>
  );
}
