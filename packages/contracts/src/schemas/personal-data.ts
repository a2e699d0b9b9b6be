import { z } from 'zod';
import { email, id } from './fields.ts';

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

/** The person whom a service must erase; the id stays as a pseudonym. */
export const erasure = {
  body: z.object({
    email,
    userId: id,
    /**
     * Whether the address was confirmed. If not, only what the account itself did is erased: other records under the
     * address may be someone else's.
     */
    emailConfirmed: z.boolean().default(true),
  }),
  response: z.object({
    /** Whether nothing of the person is left. If not, repeat the call; each call works for a few seconds. */
    done: z.boolean(),
    /** Records whose personal data this call erased. */
    records: z.number(),
    /** Records among them that were cancelled because they were in the future. */
    cancelled: z.number(),
    /** History entries whose personal data it erased. */
    events: z.number(),
  }),
} as const;

export const exportOfPerson = { query: z.object({ email }), response: z.array(exportedThing) } as const;
