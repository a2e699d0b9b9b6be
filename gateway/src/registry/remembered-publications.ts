import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServicePublication } from '@clinic/contracts/publication';
import type { Logger } from 'pino';
import { readPublication } from './publication-schema.ts';

/**
 * The services' last publications on disk, for services that are unavailable when a gateway starts. Gateways may
 * share the folder.
 */
export class RememberedPublications {
  readonly #folder: string | undefined;
  readonly #log: Logger;
  /** Writes by service, one after the other. */
  readonly #writing = new Map<string, Promise<void>>();

  /** @param folder - created if it is missing; without one, nothing is remembered */
  constructor(folder: string | undefined, log: Logger) {
    this.#folder = folder;
    this.#log = log;
    if (folder === undefined) return;
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      log.warn({ folder, err: error }, 'publications won’t be remembered');
      this.#folder = undefined;
    }
  }

  /** @returns a service's last publication; `undefined` if none is remembered or it can't be used any more */
  read(name: string): ServicePublication | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return readPublication(readFileSync(this.#fileOf(this.#folder, name), 'utf8'), name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log.warn({ upstream: name, err: error }, 'the remembered publication was ignored');
      return undefined;
    }
  }

  /** Remembers a publication. A failure is logged: the gateway works without it. */
  async write(publication: ServicePublication): Promise<void> {
    const { name } = publication;
    if (this.#folder === undefined) return;
    const file = this.#fileOf(this.#folder, name);
    const write = async (): Promise<void> => {
      try {
        // Rename, because another gateway may be reading.
        const fresh = `${file}~${process.pid}`;
        await writeFile(fresh, JSON.stringify(publication));
        await rename(fresh, file);
      } catch (error) {
        this.#log.warn({ upstream: name, err: error }, 'the publication could not be remembered');
      }
    };
    const written = (this.#writing.get(name) ?? Promise.resolve()).then(write);
    this.#writing.set(name, written);
    await written;
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  /** Names of services are checked by the setting: lower case letters, digits and hyphens. */
  #fileOf(folder: string, name: string): string {
    return path.join(folder, `${name}.json`);
  }
}
