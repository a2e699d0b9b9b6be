import { setTimeout as delay } from 'node:timers/promises';
import type { TestFetch } from '@clinic/service-kit/testing';
import type { ServiceName } from '../support/every-call.ts';

/** A request that visitors repeat. */
export interface LoadRequest {
  readonly service: ServiceName;
  /** Changes nothing, so it can be sent twice. */
  readonly safe: boolean;
  readonly name: string;
  readonly run: () => ReturnType<TestFetch>;
  /** Milliseconds between two of these requests; 20 if absent. */
  readonly pause?: number;
}

/** A request that got a wrong answer. */
export interface Failure {
  readonly request: LoadRequest;
  readonly what: string;
}

/** A failure as one line for an assertion. */
export const describeFailure = ({ request, what }: Failure): string => `${request.name}: ${what}`;

export interface Load extends AsyncDisposable {
  /** Correctly answered requests so far, by the request's name. */
  readonly answered: ReadonlyMap<string, number>;
  /** The first hundred. */
  readonly failures: readonly Failure[];
  /** Finishes requests in flight. */
  end(): Promise<void>;
}

/** Milliseconds between two requests of one visitor; limited, because the programs need the machine, too. */
const usualPause = 20;

/** An assertion that compares thousands of failures with none takes minutes and gigabytes. */
const mostFailures = 100;

/** Repeats each request as a visitor of its own, until stopped; bind it by `await using`, so that a failed test stops it, too. */
export function startLoad(requests: readonly LoadRequest[]): Load {
  const answered = new Map<string, number>();
  const failures: Failure[] = [];
  const note = (failure: Failure): void => void (failures.length < mostFailures && failures.push(failure));
  let ended = false;
  const visitors = requests.map(async (request) => {
    while (!ended) {
      try {
        const answer = await request.run();
        const body = await answer.text();
        if (answer.ok) answered.set(request.name, (answered.get(request.name) ?? 0) + 1);
        else note({ request, what: `${answer.status} ${body}` });
      } catch (error) {
        note({ request, what: String((error as Error).cause ?? error) });
      }
      await delay(request.pause ?? usualPause);
    }
  });
  const end = async (): Promise<void> => {
    ended = true;
    await Promise.all(visitors);
  };
  return { answered, failures, end, [Symbol.asyncDispose]: end };
}
