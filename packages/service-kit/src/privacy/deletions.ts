import { z } from 'zod';
import { internalHeaders, internalSecret } from '../auth/internal-calls.ts';
import type { ServiceContext } from '../context.ts';
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

type Context = Pick<ServiceContext, 'settings' | 'stopping'>;

/** Milliseconds within which a replica must respond. */
const answerWithin = 5_000;

/** A call to the first of svc-identity's replicas that responds. @throws the last replica's error */
async function callIdentity({ settings, stopping }: Context, path: string, body?: object): Promise<Response> {
  let cause: unknown;
  for (const identityUrl of settings.IDENTITY_URL) {
    try {
      const response = await fetch(`${identityUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          accept: 'application/json',
          ...internalHeaders(internalSecret(settings)),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.any([stopping, AbortSignal.timeout(answerWithin)]),
        redirect: 'error',
      });
      if (response.ok) return response;
      await response.body?.cancel();
      cause = new Error(`${identityUrl}${path} responded with ${response.status}`);
    } catch (error) {
      cause = error;
    }
  }
  throw cause;
}

/** The deletions that a service hasn't finished. Asking for them makes svc-identity wait for this service. */
export async function readDeletions(context: Context, service: string): Promise<readonly OpenDeletion[]> {
  const response = await callIdentity(context, `${deletionsPath}?service=${encodeURIComponent(service)}`);
  return listed.parse(await response.json()).deletions;
}

/** Tells svc-identity how far a service has got with a person. */
export async function reportErasure(context: Context, id: string, report: ErasureReport): Promise<void> {
  const response = await callIdentity(context, `${deletionsPath}/${encodeURIComponent(id)}`, report);
  await response.body?.cancel();
}
