import type { Logger } from 'pino';

export interface PolledFileOptions {
  /** Addresses of the same file; it is read from the first that responds. */
  readonly urls: readonly string[];
  /** Milliseconds between polls. */
  readonly everyMs: number;
  /** Called with each new content. If it throws, the response counts as bad and the last good content stays. */
  readonly onChange: (text: string) => void;
  readonly log: Logger;
}

export interface PolledFile {
  /** Polls now. */
  poll(): Promise<void>;
  stop(): void;
}

/** Timeout of a poll, in milliseconds. */
const pollTimeoutMs = 3000;

/** Polls a small file on another server. Logs an outage when it starts and when it ends. */
export function pollFile({ urls, everyMs, onChange, log }: PolledFileOptions): PolledFile {
  let etag: string | undefined;
  let answering = 0;
  let lastText: string | undefined;
  let trouble: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function poll(): Promise<void> {
    let message = '';
    for (let tried = 0; tried < urls.length; tried += 1) {
      try {
        await read(urls[answering] ?? '');
        if (trouble !== undefined) log.info({ url: urls[answering] }, 'polled file is available again');
        trouble = undefined;
        return;
      } catch (error) {
        message = describe(error);
        answering = (answering + 1) % urls.length;
        etag = undefined;
      }
    }
    if (message !== trouble)
      log.warn({ url: urls[answering], reason: message }, 'poll failed, keeping the last good content');
    trouble = message;
  }

  async function read(url: string): Promise<void> {
    const answer = await fetch(url, {
      headers: etag ? { 'If-None-Match': etag } : {},
      signal: AbortSignal.timeout(pollTimeoutMs),
      redirect: 'error',
    });
    if (answer.status === 304) return;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    if (text !== lastText) onChange(text);
    lastText = text;
    etag = answer.headers.get('etag') ?? undefined;
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => void poll().finally(schedule), everyMs);
    timer.unref();
  }
  void poll().finally(schedule);

  return {
    poll,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message
    ? `${error.message}: ${error.cause.message}`
    : error.message;
}
