import { ProblemError } from './problem-error.ts';

/** Changes of one person that are worked on at once by one process. A browser makes one or two. */
const atOnce = 8;

/** Changes of one person that wait for their turn, and for how many milliseconds at most. */
const mostWaiting = 200;
const longestWait = 5_000;

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Keeps somebody who sends hundreds of changes at once from taking all connections to the database: each transaction
 * holds one, and those of one person wait for each other. Theirs wait here instead, and everybody else's go past.
 */
export class PersonLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #atOnce: number;

  /** @param most - that are worked on at once for one person */
  constructor(most = atOnce) {
    this.#atOnce = most;
  }

  /** @throws ProblemError rate_limited when too many are before it, or it has waited too long */
  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(person) ?? { running: 0, waiting: new Set() };
    this.#lanes.set(person, lane);
    if (lane.running >= this.#atOnce) await this.#turn(lane);
    else lane.running += 1;
    try {
      return await work();
    } finally {
      const [next] = lane.waiting;
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) this.#lanes.delete(person);
    }
  }

  /** Waits until somebody who is done leaves their place. */
  #turn({ waiting }: Lane): Promise<void> {
    const tooMany = (): ProblemError => new ProblemError('rate_limited', { detail: 'You sent too much at once. Please try again in a moment.', retryAfter: 2 });
    if (waiting.size >= mostWaiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(tooMany());
      }, longestWait);
      waiting.add(go);
    });
  }
}
