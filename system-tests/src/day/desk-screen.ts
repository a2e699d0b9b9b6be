import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { setTimeout as delay } from 'node:timers/promises';
import { openLine } from '../live/live-events.ts';
import type { Visitor } from '../soak/visitor.ts';

/** An open page of the reception: it reads the day when it opens, and again only when its live line says so. */
export class DeskScreen {
  visits: readonly VisitOfDay[] = [];
  reads = 0;
  readonly #who: Visitor;
  readonly #path: string;
  readonly #stop = new AbortController();
  #isStale = false;
  #reading: Promise<void> | undefined;

  /** @param date - 'yyyy-mm-dd' */
  constructor(who: Visitor, date: string) {
    this.#who = who;
    this.#path = `/appoinments/day?date=${date}`;
  }

  async open(): Promise<void> {
    const first = Promise.withResolvers<void>();
    void this.#follow(first.resolve);
    await first.promise;
  }

  close(): void {
    this.#stop.abort();
  }

  /** Follows the live line, and opens it again where it ended, as a browser does. */
  async #follow(opened: () => void): Promise<void> {
    let after = '';
    while (!this.#stop.signal.aborted) {
      const line = await openLine((path, init) => this.#who.stream(path, init), after).catch(() => undefined);
      if (!line) {
        // Its session or a part of the clinic was away.
        await this.#who.ask('POST', '/jwt/refresh');
        await delay(100);
        continue;
      }
      this.#stop.signal.addEventListener('abort', () => line.stop(), { once: true });
      if (after === '') {
        await line.next(({ event, data }) => event === 'live' && data.streams?.includes('watchAppointments') === true);
        await this.#read();
        opened();
      }
      let seen = 0;
      do {
        const fresh = line.events.slice(seen);
        seen += fresh.length;
        if (fresh.some(({ event, data }) => event === 'change' && data.lists?.includes('getDay'))) void this.#read();
      } while (await line.next(() => true).catch(() => undefined));
      after = line.lastId;
    }
  }

  /** Reads the day; once more if it is asked meanwhile. */
  async #read(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= (async () => {
      while (this.#isStale && !this.#stop.signal.aborted) {
        this.#isStale = false;
        const { status, body } = await this.#who.insist('GET', this.#path);
        if (status !== 200) throw new Error(`the day answered ${status}`);
        this.visits = (body as { readonly visits: readonly VisitOfDay[] }).visits;
        this.reads += 1;
      }
    })().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }
}
