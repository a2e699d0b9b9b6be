import type { Logger } from 'pino';
import { Troubles } from '../troubles.ts';
import type { Replica } from './replica.ts';
import type { ReplicaSet } from './replica-set.ts';

export interface PolledFileOptions<Content> {
  readonly replicas: ReplicaSet;
  readonly path: string;
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
  readonly #troubles: Troubles<string>;
  /** Read from the same replica while it answers: during a deployment, others have another build. */
  #replica: Replica | undefined;
  #lastText: string | undefined;
  /** The last good one. */
  content: Content | undefined;
  constructor(options: PolledFileOptions<Content>) {
    this.#options = options;
    const log = options.log.child({ file: options.path });
    this.#troubles = new Troubles(log, 'poll failed, keeping the last good content', 'polled file is available again');
  }

  /** Why it can't be read now. */
  get trouble(): string | undefined {
    return this.#troubles.of(this.#options.path);
  }

  /** Polls now. @returns whether the content has changed */
  async poll(): Promise<boolean> {
    const { replicas, path, headers, read, optional = false } = this.#options;
    try {
      return await replicas.ask(
        { path, withinMs, ...(headers && { headers }) },
        ({ status, text }, replica) => {
          if (status !== 200 && !(status === 404 && optional)) throw new Error(`status ${status}`);
          const given = status === 200 ? text : undefined;
          const isNew = given !== this.#lastText;
          if (isNew) this.content = given === undefined ? undefined : read(given);
          this.#lastText = given;
          this.#replica = replica;
          this.#troubles.end(path);
          return isNew;
        },
        this.#replica,
      );
    } catch (error) {
      this.#troubles.begin(path, (error as Error).message);
      return false;
    }
  }
}
