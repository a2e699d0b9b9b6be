import type { z } from 'zod';
import type { BaseSettings } from '../settings/settings.ts';
import { internalHeaders, internalSecret } from './internal-calls.ts';

/** What it takes to ask svc-identity. */
export interface IdentityAccess {
  readonly settings: Pick<BaseSettings, 'IDENTITY_URL' | 'INTERNAL_SECRET' | 'DEMO_MODE' | 'NODE_ENV'>;
  readonly stopping: AbortSignal;
}

/** A question to svc-identity, or a report that may be repeated. */
export interface IdentityQuestion<Answer> {
  /** Internal path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: object;
  readonly answer: z.ZodType<Answer>;
  /** Milliseconds within which a replica must respond. */
  readonly answerWithin: number;
}

/** No replica of svc-identity has such a path: it is of an earlier release. */
export class NoSuchPath extends Error {}

/**
 * Asks svc-identity's replicas in turn, until one answers.
 *
 * @throws NoSuchPath if that is all they say
 * @throws the last replica's other error
 */
export async function askIdentity<Answer>(
  { settings, stopping }: IdentityAccess,
  { path, query, body, answer, answerWithin }: IdentityQuestion<Answer>,
): Promise<Answer> {
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  let failure: unknown;
  for (const url of settings.IDENTITY_URL) {
    try {
      const response = await fetch(`${url}${path}${search}`, {
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
      if (response.ok) return answer.parse(response.status === 204 ? undefined : await response.json());
      await response.body?.cancel();
      // Without the query, which may name a person.
      const message = `${url}${path} responded with ${response.status}`;
      if (response.status === 404) failure ??= new NoSuchPath(message);
      else failure = new Error(message);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
