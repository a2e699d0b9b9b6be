import { z } from 'zod';
import { paging, role } from './fields.ts';

/** One change of a record as those who may see the record see it (docs/decisions/0005). */
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

/** One change of any record, as admins see it in the history of everything. */
export const recordEvent = z.object({
  _id: z.string(),
  /** ISO instant. */
  at: z.string(),
  actor: z.object({ role, email: z.string() }).optional(),
  action: z.string(),
  record: z.object({ type: z.string(), id: z.string() }),
  /** E-mails of who did it and whom it concerns. */
  people: z.array(z.string()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()),
  /** To find the request in the logs. */
  requestId: z.string(),
});
export type RecordEvent = z.output<typeof recordEvent>;

const instant = (label: string) => z.iso.datetime({ offset: true, error: `${label} is an instant, e.g. 2026-12-01T09:30:00Z` });

/** The history of everything that one service keeps. */
export const eventList = {
  query: z.object({
    limit: paging.limit, cursor: paging.cursor, sort: paging.sort,
    /** E-mail of who did it or whom it concerns. */
    person: z.string().trim().toLowerCase().max(254).optional(),
    /** Id of the record. */
    record: z.string().trim().max(254).optional(),
    action: z.string().trim().max(60).optional(),
    /** Only what changed a record: without the sign-ins, in which the rest drowns. */
    changes: z.literal('true').optional(),
    from: instant('From').optional(),
    /** No part of the span itself. */
    until: instant('Until').optional(),
  }),
  response: z.array(recordEvent),
} as const;

/** What a message of a change stream says. */
export const changedLists = z.object({
  /** Ids of the calls whose answers to this caller may be outdated. */
  lists: z.array(z.string()),
});
