import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';

/**
 * What services and svc-identity said last, in small files, for a gateway that starts while they are unavailable.
 * Gateways may share the folder. A failure is logged: the gateway works without it.
 */
export class Remembered {
  readonly #folder: string | undefined;
  readonly #log: Logger;

  /** @param folder - created if it is missing; without one, nothing is remembered */
  constructor(folder: string | undefined, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * @param name - letters, digits and hyphens
   * @param parse - throws if the text can't be used any more
   * @returns `undefined` if nothing usable is remembered
   */
  read<Value>(name: string, parse: (text: string) => Value): Value | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return parse(readFileSync(path.join(this.#folder, `${name}.json`), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log.warn({ name, err: error }, 'what was remembered is ignored');
      return undefined;
    }
  }

  write(name: string, value: unknown): void {
    if (this.#folder === undefined) return;
    const file = path.join(this.#folder, `${name}.json`);
    // Another gateway may be reading or writing the file.
    const fresh = `${file}~${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(fresh, JSON.stringify(value));
      renameSync(fresh, file);
    } catch (error) {
      this.#log.warn({ name, err: error }, 'remembering failed');
    }
  }
}
