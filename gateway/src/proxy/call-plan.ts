import { pathToRegexp } from 'path-to-regexp';
import { defaultMaxBodyBytes, type PublishedCall } from '@clinic/contracts/publication';

/** How a request is forwarded. */
export interface CallPlan {
  /** Milliseconds within which the response must start; `undefined` for the default. */
  readonly answerWithinMs: number | undefined;
  /** The response stays open for as long as the client listens. */
  readonly stream: boolean;
  /** May be retried. */
  readonly safe: boolean;
  readonly maxBodyBytes: number;
}

/** Methods that may be retried, unless a call says otherwise (RFC 9110, section 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @param call - the published one; `undefined` if none is */
export function planOf(method: string, call?: PublishedCall): CallPlan {
  const { timeoutSeconds, stream = false, safe = safeMethods.has(method) } = call ?? {};
  return {
    answerWithinMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    // A response to HEAD has no body to stream.
    stream: stream && method !== 'HEAD',
    safe,
    maxBodyBytes: call?.maxBodyBytes ?? defaultMaxBodyBytes,
  };
}

/** How to forward a service's requests, by method and path. */
export class CallPlans {
  readonly #calls: readonly { readonly call: PublishedCall; readonly pattern: RegExp }[];

  constructor(calls: readonly PublishedCall[]) {
    const hasParameters = ({ path }: PublishedCall): boolean => /[:*{]/.test(path);
    // An exact path comes before those with parameters.
    this.#calls = calls
      .toSorted((one, other) => Number(hasParameters(one)) - Number(hasParameters(other)))
      // Case matters, a slash at the end doesn't, as in services' own routers.
      .map((call) => ({ call, pattern: pathToRegexp(call.path, { sensitive: true }).regexp }));
  }

  find(method: string, path: string): CallPlan {
    const published = method === 'HEAD' ? 'GET' : method;
    const found = this.#calls.find(({ call, pattern }) => call.method === published && pattern.test(path));
    return planOf(method, found?.call);
  }
}
