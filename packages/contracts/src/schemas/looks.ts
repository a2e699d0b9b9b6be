import { z } from 'zod';
import { email, paging, role } from './fields.ts';

/** That somebody of the staff looked at a person's records: one a person, caller and hour. */
export const look = z.object({
  _id: z.string(),
  /** When the first look of that hour was, ISO instant. */
  at: z.string(),
  /** Who looked; the person themselves learns the role and the name of the part, admins also the e-mail address. */
  by: z.object({ role, email: z.string().optional() }),
  /** What was looked at, e.g. `appointments`, `orders`, `account`. */
  what: z.string(),
  /** How: `opened`, `searched` or `exported`. */
  how: z.enum(['opened', 'searched', 'exported']),
});
export type Look = z.output<typeof look>;

/** Whose records were looked at. */
export const looksAt = { query: z.object({ limit: paging.limit, cursor: paging.cursor, sort: paging.sort, email }), response: z.array(look) } as const;
