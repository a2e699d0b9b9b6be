import type { Logger } from 'pino';
import { httpGet } from './http-get.ts';
import { repeat } from './repeat.ts';

export interface PolledFileOptions {
  /** Addresses of the same file; it is read from the first that responds. */
  readonly urls: readonly string[];
  /** Milliseconds between polls. */
  readonly everyMs: number;
  /** Called with each new content. If it throws, the response counts as bad and the last good content stays. */
  readonly onChange: (text: string) => void;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called at 404, if not every server has it; otherwise that is trouble. */
  readonly onMissing?: () => void;
  /** Called when an outage starts, with its reason, and when it ends. */
  readonly onTrouble?: (reason: string | undefined) => void;
  readonly log: Logger;
}

export interface PolledFile {
  /** Polls now. */
  poll(): Promise<void>;
  stop(): void;
}

/** Timeout of a poll, in milliseconds. */
const withinMs = 3000;

/** Polls a small file on another server, beginning with a call of `poll`. Logs an outage when it starts and when it ends. */
export function pollFile({ urls, everyMs, onChange, log, ...options }: PolledFileOptions): PolledFile {
  let answering = 0;
  let lastText: string | undefined;
  let trouble: string | undefined;

  async function poll(): Promise<void> {
    let message = '';
    for (let tried = 0; tried < urls.length; tried += 1) {
      try {
        await read(urls[answering] ?? '');
        if (trouble !== undefined) {
          log.info({ url: urls[answering] }, 'polled file is available again');
          options.onTrouble?.(undefined);
        }
        trouble = undefined;
        return;
      } catch (error) {
        message = error instanceof Error ? error.message : String(error);
        answering = (answering + 1) % urls.length;
      }
    }
    if (message !== trouble) {
      log.warn({ url: urls[answering], reason: message }, 'poll failed, keeping the last good content');
      options.onTrouble?.(message);
    }
    trouble = message;
  }

  async function read(address: string): Promise<void> {
    const answer = await httpGet({ url: new URL(address), headers: options.headers, withinMs });
    if (answer.status === 404 && options.onMissing) {
      lastText = undefined;
      return options.onMissing();
    }
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    if (answer.text !== lastText) onChange(answer.text);
    lastText = answer.text;
  }

  return { poll, stop: repeat(poll, everyMs) };
}
