import { z } from 'zod';
import { askIdentity, type IdentityAccess } from '../auth/ask-identity.ts';
import { person } from './person.ts';

/**
 * Where svc-identity lists the deletions that a service hasn't finished (`?service=NAME`), and takes its reports
 * (`POST …/ID`); the gateway never routes it.
 */
export const deletionsPath = '/internal/deletions';

/** A person whom every service has to erase. */
export const openDeletion = z.object({
  person: person.extend({ id: z.string() }),
  /** Of the request that started the deletion, for logs and history. */
  requestId: z.string(),
});
export type OpenDeletion = z.output<typeof openDeletion>;

/** The total of what a service has erased so far. */
export const erasureReport = z.object({
  service: z.string().regex(/^[a-z][a-z0-9-]{0,49}$/),
  done: z.boolean(),
  records: z.number().int().min(0),
  cancelled: z.number().int().min(0),
  events: z.number().int().min(0),
});
export type ErasureReport = z.output<typeof erasureReport>;

const listed = z.object({ deletions: z.array(openDeletion) });

/** Milliseconds within which a replica must respond. */
const answerWithin = 5_000;

/** The deletions that a service hasn't finished. Asking for them makes svc-identity wait for this service. */
export async function readDeletions(identity: IdentityAccess, service: string): Promise<readonly OpenDeletion[]> {
  const query = { service };
  return (await askIdentity(identity, { path: deletionsPath, query, answer: listed, answerWithin })).deletions;
}

/** Tells svc-identity how far a service has got with a person. */
export async function reportErasure(identity: IdentityAccess, id: string, report: ErasureReport): Promise<void> {
  const path = `${deletionsPath}/${encodeURIComponent(id)}`;
  await askIdentity(identity, { path, body: report, answer: z.unknown(), answerWithin });
}
