import { z } from 'zod';
import type { ReadonlyDeep } from '../readonly-deep.ts';

/** A first segment. No dots, so that it can't be mistaken for a file or a parent folder. */
const segment = z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/, 'must be letters, digits, - and _');

/** Whether a service could publish this first segment. */
export const couldBePublished = (name: string): boolean => segment.safeParse(name).success;

/** A REST call as the gateway sees it. */
const publishedCall = z.object({
  /** Name of the call in the service's code; for logs. */
  id: z.string().max(100),
  method: z.string().regex(/^[A-Z]{1,20}$/, 'must be a method in capitals'),
  /** Path pattern as Express writes it: `/invoices/:id`. */
  path: z
    .string()
    .max(200)
    .regex(/^\/[\w/:.*{}-]*$/, 'must be a path pattern'),
  /** Seconds until the response must have begun. */
  timeoutSeconds: z.number().positive().max(600).optional(),
  /** Server-sent events: the response lasts as long as the client listens, and has a concurrency limit of its own. */
  stream: z.boolean().optional(),
  /** May be retried on another replica if the first doesn't respond. GET is retried unless this is false. */
  safe: z.boolean().optional(),
  /** The same response for everybody: it may be cached for a second. */
  shared: z.boolean().optional(),
  maxBodyBytes: z
    .int()
    .positive()
    .max(10 * 1024 * 1024)
    .optional(),
  /** Copies or erases what the service keeps about a person. */
  personalData: z.enum(['copy', 'erasure']).optional(),
  /** Lists which staff viewed a person's records. */
  looks: z.boolean().optional(),
});
export type PublishedCall = ReadonlyDeep<z.output<typeof publishedCall>>;

/**
 * What a service publishes about itself: all that a gateway needs to route requests to it. Validated, because other people deploy
 * services at other times.
 */
export const servicePublication = z.object({
  /** The name it is configured under, e.g. `billing`. */
  name: z.string(),
  /** Version of this deployment, for people. */
  version: z.string().max(100),
  /** The commit it was built from, for people. */
  commit: z.string().max(100).optional(),
  contractVersion: z.int(),
  /** First segments of its paths. Every request whose first segment equals one of them goes to this service. */
  segments: z.array(segment).min(1).max(100),
  calls: z.array(publishedCall).max(1000),
});
export type ServicePublication = ReadonlyDeep<z.output<typeof servicePublication>>;
