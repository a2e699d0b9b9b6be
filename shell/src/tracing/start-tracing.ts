/** Milliseconds after what a visitor did, or after the response to its last call, in which a call still belongs to it. */
const followsWithinMs = 1_000;

/** Calls that a report has room for. */
const mostCalls = 30;

interface Call {
  readonly spanId: string;
  readonly method: string;
  readonly path: string;
  readonly startedAt: number;
  endedAt?: number;
  status?: number;
}

/** What a visitor did, and the calls that it led to. Times are those of `performance.now()`. */
interface Interaction {
  readonly traceId: string;
  readonly spanId: string;
  kind: 'click' | 'submit';
  /** Path of the page at that time; the gateway makes it a route path. */
  readonly page: string;
  readonly startedAt: number;
  readonly calls: Call[];
  /** When it began, or its last response came. */
  lastAt: number;
  inFlight: number;
  /** Until it is reported, unless another call follows. */
  timer?: ReturnType<typeof setTimeout>;
  isReported: boolean;
}

/** As much of a browser's window as this needs. */
export interface TracedPage extends Pick<EventTarget, 'addEventListener'> {
  fetch: typeof fetch;
  readonly document: Pick<EventTarget, 'addEventListener'>;
  readonly location: { readonly href: string; readonly origin: string; readonly pathname: string };
}

/**
 * Starts a trace with each click or form that sends calls: they carry its `traceparent`
 * (https://www.w3.org/TR/trace-context/), and the gateway gets its spans for the collector. Only pages that the gateway has
 * chosen load this file.
 */
export function startTracing(page: TracedPage): void {
  const send = page.fetch.bind(page);
  let current: Interaction | undefined;

  function begin(kind: Interaction['kind']): void {
    // Clicking a form's button, or Enter in a field, is a click first.
    if (kind === 'submit' && current?.kind === 'click' && current.calls.length === 0 && isRecent(current)) {
      current.kind = kind;
      return;
    }
    const before = current;
    const startedAt = performance.now();
    current = {
      traceId: randomHex(16),
      spanId: randomHex(8),
      kind,
      page: page.location.pathname,
      startedAt,
      calls: [],
      lastAt: startedAt,
      inFlight: 0,
      isReported: false,
    };
    if (before?.inFlight === 0) report(before);
  }

  function ended(interaction: Interaction, call: Call, status?: number): void {
    const now = performance.now();
    Object.assign(call, { endedAt: now, status });
    interaction.lastAt = now;
    interaction.inFlight -= 1;
    if (interaction.inFlight > 0) return;
    if (interaction !== current) report(interaction);
    else interaction.timer = setTimeout(() => report(interaction), followsWithinMs);
  }

  function report(interaction: Interaction): void {
    const { traceId, spanId, kind, page: path, startedAt, lastAt, calls, isReported } = interaction;
    if (isReported || calls.length === 0) return;
    interaction.isReported = true;
    clearTimeout(interaction.timer);
    if (current === interaction) current = undefined;
    const now = performance.now();
    const body = JSON.stringify({
      traceId,
      spanId,
      kind,
      page: path,
      startedMsAgo: now - startedAt,
      ms: lastAt - startedAt,
      calls: calls.map(({ startedAt: from, endedAt = now, ...call }) => ({
        ...call,
        startedMsAgo: now - from,
        ms: endedAt - from,
      })),
    });
    // The page may be about to close, and nobody waits for the response.
    send('/page-traces', { method: 'POST', body, keepalive: true }).catch((failure: unknown) =>
      console.warn('A trace could not be reported', failure),
    );
  }

  page.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const interaction = current;
    // Calls have an id; files and reports have none.
    if (!interaction || !isTraced(interaction) || typeof input !== 'string' || !headers.has('x-request-id'))
      return send(input, init);
    const { origin, pathname } = new URL(input, page.location.href);
    if (origin !== page.location.origin) return send(input, init);
    const method = init?.method ?? 'GET';
    const call: Call = { spanId: randomHex(8), method, path: pathname, startedAt: performance.now() };
    clearTimeout(interaction.timer);
    interaction.calls.push(call);
    interaction.inFlight += 1;
    headers.set('traceparent', `00-${interaction.traceId}-${call.spanId}-01`);
    const response = send(input, { ...init, headers });
    response.then(
      ({ status }) => ended(interaction, call, status),
      () => ended(interaction, call),
    );
    return response;
  };
  page.document.addEventListener('click', () => begin('click'), { capture: true });
  page.document.addEventListener('submit', () => begin('submit'), { capture: true });
  page.addEventListener('pagehide', () => current && report(current));
}

function isRecent({ lastAt }: Interaction): boolean {
  return performance.now() - lastAt < followsWithinMs;
}

function isTraced(interaction: Interaction): boolean {
  return interaction.calls.length < mostCalls && (interaction.inFlight > 0 || isRecent(interaction));
}

function randomHex(bytes: number): string {
  const random = [...crypto.getRandomValues(new Uint8Array(bytes))];
  return random.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
