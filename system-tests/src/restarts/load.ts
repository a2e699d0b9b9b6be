import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@clinic/contracts';
import type { TestFetch } from '@clinic/service-kit/testing';

/** A request that visitors repeat. */
export interface Errand {
  readonly service: ServiceName;
  /** Changes nothing, so it can be sent twice. */
  readonly safe: boolean;
  readonly name: string;
  readonly run: () => ReturnType<TestFetch>;
  /** Milliseconds between two of them; 20 if absent. */
  readonly pause?: number;
}

/** A request that got a wrong answer. */
export interface Failure {
  readonly errand: Errand;
  readonly what: string;
}

export interface Load {
  /** Correctly answered requests so far, by the errand's name. */
  readonly answered: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
  /** Finishes requests in flight. */
  end(): Promise<void>;
}

/** Milliseconds between two requests of one visitor; limited, because the programs need the machine, too. */
const usualPause = 20;

/** Repeats every errand, each with its own visitor, until stopped. */
export function startLoad(errands: readonly Errand[]): Load {
  const answered = new Map<string, number>();
  const failures: Failure[] = [];
  let ended = false;
  const visitors = errands.map(async (errand) => {
    while (!ended) {
      try {
        const answer = await errand.run();
        const body = await answer.text();
        if (answer.ok) answered.set(errand.name, (answered.get(errand.name) ?? 0) + 1);
        else failures.push({ errand, what: `${answer.status} ${body}` });
      } catch (error) {
        failures.push({ errand, what: String((error as Error).cause ?? error) });
      }
      await delay(errand.pause ?? usualPause);
    }
  });
  return {
    answered,
    failures,
    async end() {
      ended = true;
      await Promise.all(visitors);
    },
  };
}
