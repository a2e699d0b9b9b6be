import { KeyedSemaphores } from './keyed-semaphores.ts';
import { ProblemError } from './problem-error.ts';

/** Concurrent changes per user in one process. A browser makes one or two. */
const usualAtOnce = 8;

/** Queue limit per user: number of waiting changes, and how long they may wait in milliseconds. */
const mostWaiting = 200;
const longestWait = 5_000;

/**
 * Per-user concurrency limit: keeps someone who sends hundreds of changes at once from taking all database connections,
 * as each transaction holds one and a user's transactions wait for each other. Their changes queue; everybody else's
 * pass.
 */
export class UserQueues {
  readonly #semaphores: KeyedSemaphores;
  readonly #most: number;

  /** @param atOnce - concurrent changes per user */
  constructor(atOnce = usualAtOnce) {
    this.#semaphores = new KeyedSemaphores(atOnce);
    this.#most = atOnce + mostWaiting;
  }

  /** @throws `tooMany` if the queue is full or the wait takes too long; default: ProblemError rate_limited */
  async run<T>(userId: string, work: () => Promise<T>, tooMany = tooManyAtOnce()): Promise<T> {
    if (this.#semaphores.usersOf(userId) >= this.#most) throw tooMany;
    const release = await this.#semaphores.acquire(userId, longestWait, tooMany);
    try {
      return await work();
    } finally {
      release();
    }
  }
}

const tooManyAtOnce = (): ProblemError =>
  new ProblemError('rate_limited', {
    detail: 'You sent too many requests at once. Try again in a moment.',
    retryAfter: 2,
  });
