import type { z } from 'zod';

/** A question to a service, or a report that may be repeated. */
export interface Question<Answer> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: z.ZodType<Answer>;
  /** Milliseconds within which a replica must respond. */
  readonly answerWithin: number;
}

/** No replica has such a path: the service is of an earlier release. */
export class NoSuchPath extends Error {}

/**
 * Asks a service's replicas in turn, until one answers.
 *
 * @param urls - their addresses
 * @throws NoSuchPath if that is all they say
 * @throws the last replica's other error
 */
export async function askReplicas<Answer>(
  urls: readonly string[],
  { path, query, body, headers, answer, answerWithin }: Question<Answer>,
  stopping?: AbortSignal,
): Promise<Answer> {
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  let failure: unknown;
  for (const url of urls) {
    const limit = AbortSignal.timeout(answerWithin);
    try {
      const response = await fetch(`${url}${path}${search}`, {
        method: body ? 'POST' : 'GET',
        headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
        signal: stopping ? AbortSignal.any([stopping, limit]) : limit,
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
  throw failure ?? new Error(`nobody to ask for ${path}`);
}
