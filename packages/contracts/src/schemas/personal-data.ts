import { z } from 'zod';
import { email, id } from './fields.ts';

/** One thing that a service keeps about a person, in the copy that they can have of their data. */
export const exportedThing = z.object({
  /** What it is, e.g. `appointment`, `order`, `event`. */
  kind: z.string(),
  /** As the service shows it elsewhere. An event of other people's records tells only what was done, not what was in them. */
  data: z.record(z.string(), z.unknown()),
});
export type ExportedThing = z.output<typeof exportedThing>;

/** Whom a service is to forget: the id stays as a pseudonym. */
export const erasure = {
  body: z.object({
    email,
    userId: id,
    /** Whether the address was confirmed. If it wasn't, only what the account did itself is forgotten: the rest under it may be someone else's. */
    emailConfirmed: z.boolean().default(true),
  }),
  response: z.object({
    /** Nothing of the person is left; else the call is to be repeated: it does a few seconds' work at a time. */
    done: z.boolean(),
    /** Records that lost the person's data in this call. */
    records: z.number(),
    /** Of these, what was cancelled because it was still to come. */
    cancelled: z.number(),
    /** Lines of the history that lost it. */
    events: z.number(),
  }),
} as const;

export const exportOfPerson = { query: z.object({ email }), response: z.array(exportedThing) } as const;
