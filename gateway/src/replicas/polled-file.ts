import type { Logger } from 'pino';
import { httpGet } from './http-get.ts';

export interface PolledFileOptions<Content> {
  /** Addresses of the same file; it is read from the first that responds. */
  readonly urls: readonly string[];
  /** If it throws, the response counts as bad and the last good content stays. */
  readonly read: (text: string) => Content;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether servers needn't have it: 404 then means that there is no content; otherwise it is trouble. */
  readonly optional?: boolean;
  readonly log: Logger;
}

/** Timeout of a poll, in milliseconds. */
const withinMs = 3000;

/** A small file on another server. Logs an outage when it starts and when it ends. */
export class PolledFile<Content> {
  readonly #options: PolledFileOptions<Content>;
  #answering = 0;
  #lastText: string | undefined;
  /** The last good one. */
  content: Content | undefined;
  /** Why it can't be read now. */
  trouble: string | undefined;

  constructor(options: PolledFileOptions<Content>) {
    this.#options = options;
  }

  /** Polls now. @returns whether the content has changed */
  async poll(): Promise<boolean> {
    const { urls, log } = this.#options;
    let url = '';
    let trouble = '';
    const first = this.#answering;
    for (let tried = 0; tried < urls.length; tried += 1) {
      const at = (first + tried) % urls.length;
      url = urls[at] ?? '';
      try {
        const changed = await this.#read(url);
        if (this.trouble !== undefined) log.info({ url }, 'polled file is available again');
        this.trouble = undefined;
        this.#answering = at;
        return changed;
      } catch (error) {
        trouble = (error as Error).message;
      }
    }
    if (trouble !== this.trouble) log.warn({ url, reason: trouble }, 'poll failed, keeping the last good content');
    this.trouble = trouble;
    return false;
  }

  async #read(url: string): Promise<boolean> {
    const { read, headers, optional } = this.#options;
    const { status, text } = await httpGet({ url: new URL(url), headers, withinMs });
    const isMissing = status === 404 && optional === true;
    if (status !== 200 && !isMissing) throw new Error(`status ${status}`);
    const given = isMissing ? undefined : text;
    if (given === this.#lastText) return false;
    this.content = given === undefined ? undefined : read(given);
    this.#lastText = given;
    return true;
  }
}
