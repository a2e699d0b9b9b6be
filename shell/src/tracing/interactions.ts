/** Milliseconds after what a visitor did, or after the response to its last call, in which a call still belongs to it. */
const followsWithinMs = 1_000;

/** Calls that a report has room for. */
const mostCalls = 30;

/** A call within an interaction. Times are those of `performance.now()`. */
export interface TracedCall {
  readonly spanId: string;
  readonly method: string;
  readonly path: string;
  readonly startedAt: number;
  endedAt?: number;
  status?: number;
}

/** What a visitor did, and the calls that it led to. */
export interface Interaction {
  readonly traceId: string;
  readonly spanId: string;
  kind: 'click' | 'submit';
  /** Path of the page at that time; the gateway makes it a route path. */
  readonly page: string;
  readonly startedAt: number;
  readonly calls: TracedCall[];
  /** When it began, or its last response came. */
  lastAt: number;
  inFlight: number;
  /** Waits for another call before the report. */
  timer?: ReturnType<typeof setTimeout>;
  isReported: boolean;
}

/** Finds out which calls belong to what a visitor does. */
export class Interactions {
  readonly #report: (body: string) => void;
  #current: Interaction | undefined;

  /** @param report - sends the report of an interaction that made calls, once nothing follows */
  constructor(report: (body: string) => void) {
    this.#report = report;
  }

  /** The visitor does something. @param page - path of the page */
  begin(kind: Interaction['kind'], page: string): void {
    const before = this.#current;
    // Clicking a form's button, or Enter in a field, is a click first.
    if (kind === 'submit' && before?.kind === 'click' && before.calls.length === 0 && isRecent(before)) {
      before.kind = kind;
      return;
    }
    const startedAt = performance.now();
    this.#current = {
      traceId: randomHex(16),
      spanId: randomHex(8),
      kind,
      page,
      startedAt,
      calls: [],
      lastAt: startedAt,
      inFlight: 0,
      isReported: false,
    };
    if (before?.inFlight === 0) this.#end(before);
  }

  /** A call begins. @returns what it belongs to; `undefined` if it belongs to nothing */
  call(method: string, path: string): { readonly interaction: Interaction; readonly call: TracedCall } | undefined {
    const interaction = this.#current;
    if (!interaction || interaction.calls.length >= mostCalls) return undefined;
    if (interaction.inFlight === 0 && !isRecent(interaction)) return undefined;
    clearTimeout(interaction.timer);
    const call: TracedCall = { spanId: randomHex(8), method, path, startedAt: performance.now() };
    interaction.calls.push(call);
    interaction.inFlight += 1;
    return { interaction, call };
  }

  /** @param status - of its response; none if there was no response */
  answered(interaction: Interaction, call: TracedCall, status?: number): void {
    const now = performance.now();
    Object.assign(call, { endedAt: now, status });
    interaction.lastAt = now;
    interaction.inFlight -= 1;
    if (interaction.inFlight > 0) return;
    if (interaction === this.#current) interaction.timer = setTimeout(() => this.#end(interaction), followsWithinMs);
    else this.#end(interaction);
  }

  /** The page closes. */
  close(): void {
    if (this.#current) this.#end(this.#current);
  }

  #end(interaction: Interaction): void {
    if (interaction.isReported || interaction.calls.length === 0) return;
    interaction.isReported = true;
    clearTimeout(interaction.timer);
    if (this.#current === interaction) this.#current = undefined;
    this.#report(JSON.stringify(reportOf(interaction, performance.now())));
  }
}

function reportOf({ traceId, spanId, kind, page, startedAt, lastAt, calls }: Interaction, now: number): object {
  return {
    traceId,
    spanId,
    kind,
    page,
    startedMsAgo: now - startedAt,
    ms: lastAt - startedAt,
    calls: calls.map(({ startedAt: from, endedAt = now, ...call }) => ({
      ...call,
      startedMsAgo: now - from,
      ms: endedAt - from,
    })),
  };
}

function isRecent({ lastAt }: Interaction): boolean {
  return performance.now() - lastAt < followsWithinMs;
}

function randomHex(bytes: number): string {
  const random = [...crypto.getRandomValues(new Uint8Array(bytes))];
  return random.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
