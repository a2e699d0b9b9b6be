import { isProblem } from '@clinic/contracts';
import { internalHeaders, internalSecret, ProblemError, unavailable } from '@clinic/service-kit';
import type { z } from 'zod';
import type { MessagesContext } from '../settings.ts';

/** Time limit for a response, milliseconds. */
const answerWithin = 5_000;

export type AskContext = Pick<MessagesContext, 'settings' | 'stopping'>;

/** What a source's records are called when they can't be reached. */
const recordsOf = { clinic: 'appointments', pharmacy: 'orders', identity: 'invitations' } as const;

/**
 * Asks a service about what its messages say: tries each of its replicas until one responds.
 *
 * @param once - a change: it goes to the next replica only if it never reached the previous one
 * @throws ProblemError unavailable, or as the service says
 */
export async function askSource(
  { settings, stopping }: AskContext,
  source: keyof typeof recordsOf,
  method: 'GET' | 'POST',
  path: string,
  { body, once = false }: { readonly body?: object; readonly once?: boolean } = {},
): Promise<unknown> {
  let cause: unknown;
  for (const url of settings.SOURCES.get(source) ?? []) {
    try {
      const response = await fetch(`${url}/internal${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        headers: { ...internalHeaders(internalSecret(settings)), ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.any([stopping, AbortSignal.timeout(answerWithin)]),
        redirect: 'error',
      });
      const answer: unknown = await response.json();
      if (response.ok) return answer;
      if (isProblem(answer) && response.status < 500)
        throw new ProblemError(answer.code, {
          ...(answer.detail !== undefined && { detail: answer.detail }),
          ...(answer.freeTimes && { freeTimes: answer.freeTimes }),
        });
      cause = new Error(`svc-${source} answered ${response.status}`);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      cause = error;
      if (once && !wasNeverSent(error)) break;
    }
  }
  throw unavailable(`We can’t reach the ${recordsOf[source]} right now. Try again in a moment.`, cause);
}

const wasNeverSent = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

/** A source's answer; `otherwise` if there is none, or one of the previous release, which doesn't know the question. */
export async function askIfKnown<Answer>(
  context: AskContext,
  source: keyof typeof recordsOf,
  path: string,
  {
    body,
    schema,
    otherwise,
  }: { readonly body: object; readonly schema: z.ZodType<Answer>; readonly otherwise: Answer },
): Promise<Answer> {
  if (!context.settings.SOURCES.has(source)) return otherwise;
  try {
    return schema.parse(await askSource(context, source, 'POST', path, { body }));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return otherwise;
    throw error;
  }
}

/** An answer; `undefined`: the service is unavailable. */
export async function unlessUnavailable<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'unavailable') return undefined;
    throw error;
  }
}
