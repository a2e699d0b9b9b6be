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

const ordinary: CallPlan = {
  answerWithinMs: undefined,
  stream: false,
  safe: false,
  maxBodyBytes: defaultMaxBodyBytes,
};

/** For unpublished calls: safe methods may be retried (RFC 9110, section 9.2.1). */
const safeByMethod: CallPlan = { ...ordinary, safe: true };

export const defaultAnswerWithinMs = defaultTimeoutSeconds * 1000;

export function defaultPlan(method: string): CallPlan {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? safeByMethod : ordinary;
}

/** How to forward a service's requests, by method and path. */
export class CallPlans {
  /** Paths without parameters, by method and path. */
  readonly #exact = new Map<string, CallPlan>();
  /** Path patterns whose plan isn't the default, by method and first segment, in publication order. */
  readonly #patterns = new Map<string, { readonly pattern: RegExp; readonly plan: CallPlan }[]>();

  constructor(calls: readonly PublishedCall[]) {
    for (const call of calls) {
      const plan = planOf(call);
      for (const method of call.method === 'GET' ? ['GET', 'HEAD'] : [call.method]) {
        // A response to HEAD has no body to stream.
        const own = method === 'HEAD' ? { ...plan, stream: false } : plan;
        if (!/[:*{]/.test(call.path))
          this.#exact.set(`${method} ${call.path}`, this.#exact.get(`${method} ${call.path}`) ?? own);
        else if (!isOrdinary(own, method))
          this.#add(`${method} ${call.path.split('/')[1] ?? ''}`, { pattern: patternOf(call.path), plan: own });
      }
    }
  }

  /** @param segment - first segment of the path; the caller already has it */
  find(method: string, path: string, segment: string): CallPlan {
    const exact = this.#exact.get(`${method} ${path}`);
    if (exact) return exact;
    if (path.endsWith('/') && path.length > 1) return this.find(method, path.slice(0, -1), segment);
    const hit = this.#patterns.get(`${method} ${segment}`)?.find(({ pattern }) => pattern.test(path));
    return hit?.plan ?? defaultPlan(method);
  }

  #add(key: string, entry: { readonly pattern: RegExp; readonly plan: CallPlan }): void {
    const known = this.#patterns.get(key);
    if (known) known.push(entry);
    else this.#patterns.set(key, [entry]);
  }
}

function planOf({
  method,
  timeoutSeconds,
  stream = false,
  safe = method === 'GET',
  maxBodyBytes = defaultMaxBodyBytes,
}: PublishedCall): CallPlan {
  return {
    answerWithinMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    stream,
    safe,
    maxBodyBytes,
  };
}

function isOrdinary(plan: CallPlan, method: string): boolean {
  const usual = defaultPlan(method);
  return (Object.keys(usual) as (keyof CallPlan)[]).every((key) => plan[key] === usual[key]);
}

/** Compiles an Express path pattern: `:name`, `*name`, `{optional}`. */
export function patternOf(path: string): RegExp {
  const source = path.replaceAll(/:\w+|\*\w+|[{}]|[.+^$()|[\]\\?]/g, (part) => {
    if (part.startsWith(':')) return '[^/]+';
    if (part.startsWith('*')) return '.+';
    if (part === '{') return '(?:';
    if (part === '}') return ')?';
    return `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}
