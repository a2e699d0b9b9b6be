import { z } from 'zod';
import { asSeen, email, id } from './fields.ts';

/** One record about a person in the copy of their data. */
export const exportedThing = z.object({
  /** Kind of record, e.g. `appointment`, `order`, `event`. */
  kind: z.string(),
  /**
   * As the service shows it elsewhere. An event of somebody else's record only says what was done, not what the record
   * contained.
   */
  data: z.record(z.string(), z.unknown()),
});
export type ExportedThing = z.output<typeof exportedThing>;

/**
 * The calls by which front-ends of earlier releases had each service erase a person. They say how far the service has got
 * with a deletion, and erase nothing: svc-identity drives deletions.
 */
export const erasure = {
  body: z.object({
    email,
    userId: id,
    /** Ignored: svc-identity knows. */
    emailConfirmed: z.boolean().default(true),
  }),
  response: z.object({
    /** Whether this service has erased the person, or hasn't been asked to. If not, ask again. */
    done: z.boolean(),
    /** Records whose personal data it has erased. */
    records: z.number(),
    /** Records among them that were cancelled because they were in the future. */
    cancelled: z.number(),
    /** History entries whose personal data it has erased. */
    events: z.number(),
  }),
} as const;

/** @see asSeen for whose address it was on screen */
export const exportOfPerson = {
  query: z.object({ email, userId: asSeen(id) }),
  response: z.array(exportedThing),
} as const;
