import type { TestFetch } from '@clinic/service-kit/testing';

/** An event of a live line. */
export interface LiveEvent {
  readonly event: string;
  readonly data: { readonly lists?: readonly string[]; readonly streams?: readonly string[] };
  readonly id: string;
  /** When it arrived, `performance.now()`. */
  readonly at: number;
}

/** A browser's live line. */
export interface LiveLine {
  readonly events: readonly LiveEvent[];
  /** Waits for the first event from here on that matches. @throws Error if the line ends before */
  next(matches: (event: LiveEvent) => boolean): Promise<LiveEvent>;
  /** Id of the last event. */
  readonly lastId: string;
  stop(): void;
}

/**
 * Opens a live line with somebody's cookies, as a browser does.
 *
 * @param after - the id of the event to continue after
 */
export async function openLine(call: TestFetch, after = ''): Promise<LiveLine> {
  const stop = new AbortController();
  const response = await call(after === '' ? '/live' : `/live?after=${encodeURIComponent(after)}`, {
    signal: stop.signal,
  });
  if (response.status !== 200 || !response.body) throw new Error(`/live answered ${response.status}`);
  const events: LiveEvent[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  const changed = (): void => {
    for (const check of waiting) check();
  };
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const parts = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) events.push(eventOf(part));
      changed();
    }
  };
  // The stream breaks when its gateway is killed.
  void read(response.body)
    .catch(() => undefined)
    .finally(() => {
      ended = true;
      changed();
    });
  return {
    events,
    get lastId() {
      return events.findLast(({ id }) => id !== '')?.id ?? '';
    },
    next(matches) {
      const from = events.length;
      return new Promise((resolve, reject) => {
        const check = (): void => {
          const found = events.slice(from).find(matches);
          if (!found && !ended) return;
          waiting.delete(check);
          if (found) resolve(found);
          else reject(new Error('the line has ended'));
        };
        waiting.add(check);
        check();
      });
    },
    stop: () => stop.abort(),
  };
}

function eventOf(part: string): LiveEvent {
  const fields = new Map(
    part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}') as LiveEvent['data'],
    id: fields.get('id') ?? '',
    at: performance.now(),
  };
}
