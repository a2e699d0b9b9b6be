import { z } from 'zod';
import { paging, rightsHeld, role } from './fields.ts';

/** One change to a record, as shown to people who may see the record (docs/decisions/0005). */
export const historyEntry = z.object({
  /** ISO instant. */
  at: z.string(),
  /** What happened, e.g. `status changed`. */
  action: z.string(),
  /** Who did it; without email if the reader may not know it, absent if the system itself did it. */
  actor: z.object({ role, email: z.string().optional(), rights: rightsHeld }).optional(),
  /** The changed fields before the change; `null` if the record was new. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()),
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** One change to any record, as admins see it in the full history. */
export const recordEvent = z.object({
  _id: z.string(),
  /** ISO instant. */
  at: z.string(),
  actor: z.object({ role, email: z.string(), rights: rightsHeld }).optional(),
  action: z.string(),
  record: z.object({ type: z.string(), id: z.string() }),
  /** Email addresses of who did it and whom it concerns. */
  people: z.array(z.string()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()),
  /** Request id, for finding the request in the logs. */
  requestId: z.string(),
});
export type RecordEvent = z.output<typeof recordEvent>;

const instant = (label: string) =>
  z.iso.datetime({ offset: true, error: `${label} must be a date and time like 2026-12-01T09:30:00Z` });

/** The full history of one service. */
export const eventList = {
  query: z.object({
    limit: paging.limit,
    cursor: paging.cursor,
    sort: paging.sort,
    /** Email address of who did it or whom it concerns. */
    person: z.string().trim().toLowerCase().max(254).optional(),
    /** Id of the record. */
    record: z.string().trim().max(254).optional(),
    action: z.string().trim().max(60).optional(),
    /** Only changes to records, without the sign-ins, which would drown out everything else. */
    changes: z.literal('true').optional(),
    from: instant('From').optional(),
    /** Exclusive end of the period. */
    until: instant('Until').optional(),
  }),
  response: z.array(recordEvent),
} as const;

/** A message of a change stream. */
export const changedLists = z.object({
  /** Ids of the calls whose responses may be outdated for this caller. */
  lists: z.array(z.string()),
});
