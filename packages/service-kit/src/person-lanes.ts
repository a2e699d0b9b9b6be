import { ProblemError } from './problem-error.ts';

/** Concurrent changes per user in one process. A browser makes one or two. */
const atOnce = 8;

/** Queue limit per user: number of waiting changes, and how long they may wait in milliseconds. */
const mostWaiting = 200;
const longestWait = 5_000;

interface Queue {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Per-user concurrency limit: keeps somebody who sends hundreds of changes at once from taking all database connections, as
 * each transaction holds one and those of one user wait for each other. Here theirs queue up while everybody else's pass.
 */
export class UserQueues {
  readonly #queues = new Map<string, Queue>();
  readonly #atOnce: number;

  /** @param most - concurrent changes per user */
  constructor(most = atOnce) {
    this.#atOnce = most;
  }

  /** @throws ProblemError rate_limited if the queue is full or the wait was too long */
  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(person) ?? { running: 0, waiting: new Set() };
    this.#queues.set(person, queue);
    if (queue.running >= this.#atOnce) await this.#place(queue);
    else queue.running += 1;
    try {
      return await work();
    } finally {
      const [next] = queue.waiting;
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(person);
    }
  }

  /** Waits for a free place. */
  #place({ waiting }: Queue): Promise<void> {
    const tooMany = (): ProblemError =>
      new ProblemError('rate_limited', {
        detail: 'You sent too many requests at once. Try again in a moment.',
        retryAfter: 2,
      });
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
