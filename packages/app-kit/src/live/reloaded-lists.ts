import type { Query, QueryClient } from '@tanstack/react-query';

/** Milliseconds that a hint about an own change waits for the response of a change that is still under way. */
const responseWithin = 300;

/** Own changes that are remembered: a hint comes within a second, or, after an interruption of the line, a little later. */
const mostRemembered = 100;

/**
 * Loads lists again on hints of the live line, each only once: who changes something loads what it touched right after the
 * response, before the hint about it arrives.
 */
export class ReloadedLists {
  readonly #client: QueryClient;
  readonly #underWay = new Set<Promise<unknown>>();
  /** When each own change was answered, by the id of its request. */
  readonly #answered = new Map<string, number>();
  /** When each query last began to load. */
  readonly #began = new WeakMap<Query, number>();

  constructor(client: QueryClient) {
    this.#client = client;
    client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'fetch') this.#began.set(event.query, performance.now());
    });
  }

  /** Remembers a changing call of this tab. */
  note(attempt: Promise<{ readonly response: Response }>): void {
    const answered = attempt
      .then(
        ({ response }) => {
          this.#answered.set(response.headers.get('x-request-id') ?? '', performance.now());
          const [oldest] = this.#answered.keys();
          if (this.#answered.size > mostRemembered && oldest !== undefined) this.#answered.delete(oldest);
        },
        // A lost response names no request: the hint about it then loads the lists.
        () => undefined,
      )
      .finally(() => this.#underWay.delete(answered));
    this.#underWay.add(answered);
  }

  /**
   * Loads these calls again wherever they are on screen.
   *
   * @param by - the own requests that caused it, if nobody else's did: what has been loaded since their responses stays
   */
  async reload(calls: readonly string[], by: readonly string[] | undefined): Promise<void> {
    const answeredAt = by && (await this.#answeredAt(by));
    const isOld = (query: Query): boolean => answeredAt === undefined || !((this.#began.get(query) ?? 0) >= answeredAt);
    await Promise.all(calls.map((call) => this.#client.invalidateQueries({ queryKey: [call], predicate: isOld })));
  }

  /** @returns when the last one was answered; `undefined` if this tab didn't send them all */
  async #answeredAt(by: readonly string[]): Promise<number | undefined> {
    if (this.#underWay.size > 0 && !by.every((id) => this.#answered.has(id))) {
      const patience = new Promise((resolve) => setTimeout(resolve, responseWithin));
      await Promise.race([Promise.all(this.#underWay), patience]);
    }
    const answered = by.map((id) => this.#answered.get(id)).filter((at) => at !== undefined);
    if (answered.length < by.length) return undefined;
    // Whoever made the change loads its lists as soon as the response is there.
    await new Promise((resolve) => setTimeout(resolve));
    return Math.max(...answered);
  }
}
