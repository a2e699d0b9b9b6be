import { z } from 'zod';
import { email, paging, rightsHeld, role } from './fields.ts';

/** Access to a person's records by staff: one entry per person, caller and hour. */
export const look = z.object({
  _id: z.string(),
  /** ISO instant of the first time in that hour. */
  at: z.string(),
  /** Who opened them. The person themselves sees the role and the kind of records, admins also the email address. */
  by: z.object({ role, email: z.string().optional(), rights: rightsHeld }),
  /** What was opened, e.g. `appointments`, `orders`, `account`. */
  what: z.string(),
  /** How they were accessed. */
  how: z.enum(['opened', 'searched', 'exported']),
});
export type Look = z.output<typeof look>;

/** Whose records were opened. */
export const looksAt = {
  query: z.object({ limit: paging.limit, cursor: paging.cursor, sort: paging.sort, email }),
  response: z.array(look),
} as const;
