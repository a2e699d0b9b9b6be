import { pathToRegexp } from 'path-to-regexp';
import { defaultMaxBodyBytes, defaultTimeoutSeconds, type PublishedCall } from '@clinic/contracts/publication';

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

export const defaultAnswerWithinMs = defaultTimeoutSeconds * 1000;

/** Calls that aren't published: safe methods may be retried (RFC 9110, section 9.2.1). */
const safePlan = { answerWithinMs: undefined, stream: false, safe: true, maxBodyBytes: defaultMaxBodyBytes } as const;
const changePlan = { ...safePlan, safe: false } as const;

export function defaultPlan(method: string): CallPlan {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? safePlan : changePlan;
}

/** As services' own routers compare paths. */
const exactly = { sensitive: true, trailing: false };

/** How to forward a service's requests, by method and path. */
export class CallPlans {
  readonly #exact = new Map<string, CallPlan>();
  readonly #patterns: { readonly method: string; readonly pattern: RegExp; readonly plan: CallPlan }[] = [];

  constructor(calls: readonly PublishedCall[]) {
    for (const call of calls) {
      for (const method of call.method === 'GET' ? ['GET', 'HEAD'] : [call.method]) {
        const plan = planOf(call, method);
        const key = `${method} ${call.path}`;
        if (/[:*{]/.test(call.path))
          this.#patterns.push({ method, pattern: pathToRegexp(call.path, exactly).regexp, plan });
        else if (!this.#exact.has(key)) this.#exact.set(key, plan);
      }
    }
  }

  find(method: string, path: string): CallPlan {
    const exact = this.#exact.get(`${method} ${path}`);
    if (exact) return exact;
    if (path.endsWith('/') && path.length > 1) return this.find(method, path.slice(0, -1));
    const hit = this.#patterns.find((one) => one.method === method && one.pattern.test(path));
    return hit?.plan ?? defaultPlan(method);
  }
}

function planOf(call: PublishedCall, method: string): CallPlan {
  const { timeoutSeconds, stream = false, safe = call.method === 'GET' } = call;
  return {
    answerWithinMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    // A response to HEAD has no body to stream.
    stream: stream && method !== 'HEAD',
    safe,
    maxBodyBytes: call.maxBodyBytes ?? defaultMaxBodyBytes,
  };
}
