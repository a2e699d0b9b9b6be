import type { Logger } from 'pino';

export interface PolledFileOptions {
  /** Where it is; of several addresses of the same file the first is asked that answers. */
  readonly urls: readonly string[];
  /** Milliseconds between looks. */
  readonly everyMs: number;
  /** Called with each new content; what it throws counts as a bad answer, and the last good content stays. */
  readonly onChange: (text: string) => void;
  readonly log: Logger;
}

export interface PolledFile {
  /** Looks now. */
  look(): Promise<void>;
  stop(): void;
}

/** Milliseconds that a look may take. */
const lookLimitMs = 3000;

/** Keeps up with a small file of another server; an outage is logged when it begins and when it ends. */
export function pollFile({ urls, everyMs, onChange, log }: PolledFileOptions): PolledFile {
  let etag: string | undefined;
  let answering = 0;
  let lastText: string | undefined;
  let trouble: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    let message = '';
    for (let tried = 0; tried < urls.length; tried += 1) {
      try {
        await read(urls[answering] ?? '');
        if (trouble !== undefined) log.info({ url: urls[answering] }, 'back again');
        trouble = undefined;
        return;
      } catch (error) {
        message = describe(error);
        answering = (answering + 1) % urls.length;
        etag = undefined;
      }
    }
    if (message !== trouble) log.warn({ url: urls[answering], reason: message }, 'no good answer, the last good one is kept');
    trouble = message;
  }

  async function read(url: string): Promise<void> {
    const answer = await fetch(url, { headers: etag ? { 'If-None-Match': etag } : {}, signal: AbortSignal.timeout(lookLimitMs), redirect: 'error' });
    if (answer.status === 304) return;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    if (text !== lastText) onChange(text);
    lastText = text;
    etag = answer.headers.get('etag') ?? undefined;
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => void look().finally(schedule), everyMs);
    timer.unref();
  }
  void look().finally(schedule);

  return {
    look,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? `${error.message}: ${error.cause.message}` : error.message;
}
