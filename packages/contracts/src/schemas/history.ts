import { z } from 'zod';
import { role } from './fields.ts';

/** One change of a record as those who may see the record see it (design section 6, History). */
export const historyEntry = z.object({
  /** ISO instant. */
  at: z.string(),
  /** What happened, e.g. `status changed`. */
  action: z.string(),
  /** Who did it; without e-mail where that isn't the reader's business, absent when the system itself did. */
  actor: z.object({ role, email: z.string().optional() }).optional(),
  /** The changed fields as they were; `null` when the record was new. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()),
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** What a message of a change stream says. */
export const changedLists = z.object({
  /** Ids of the calls whose answers to this caller may be outdated. */
  lists: z.array(z.string()),
});
