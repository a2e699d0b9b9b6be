/**
 * One result for all concurrent callers. The work begins after each call that it serves, so that nobody misses what
 * happened before: a call during a run gets the result of the next run.
 */
export class SharedAnswer<Answer> {
  readonly #work: () => Promise<Answer>;
  #running: Promise<Answer> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(work: () => Promise<Answer>) {
    this.#work = work;
  }

  /** Whether nobody waits for a result. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  /** @throws what the work throws */
  ask(): Promise<Answer> {
    if (!this.#running) return this.#run();
    this.#next ??= this.#afterThis(this.#running);
    return this.#next;
  }

  #run(): Promise<Answer> {
    const running = this.#work().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #afterThis(running: Promise<Answer>): Promise<Answer> {
    // Its failure concerns earlier callers only.
    await running.catch(() => undefined);
    this.#next = undefined;
    return this.#run();
  }
}

/** One {@link SharedAnswer} for each question. */
export class SharedAnswers<Question, Answer> {
  readonly #work: (question: Question) => Promise<Answer>;
  readonly #shared = new Map<string, SharedAnswer<Answer>>();

  /** @param work - its result must not depend on the caller */
  constructor(work: (question: Question) => Promise<Answer>) {
    this.#work = work;
  }

  /** @throws what the work throws */
  async ask(question: Question): Promise<Answer> {
    const key = JSON.stringify(question);
    let shared = this.#shared.get(key);
    if (!shared) {
      shared = new SharedAnswer(() => this.#work(question));
      this.#shared.set(key, shared);
    }
    try {
      return await shared.ask();
    } finally {
      if (shared.isIdle) this.#shared.delete(key);
    }
  }
}
