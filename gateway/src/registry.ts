import type { RegisteredRemote, Registry, RemoteDescriptor } from '@clinic/contracts/remotes';
import type { Logger } from 'pino';
import { z } from 'zod';
import { pollFile, type PolledFile } from './polled-file.ts';
import { remoteDescriptorSchema } from './remote-schema.ts';

export interface RegistryOptions {
  /** Addresses of the remotes' servers by name. */
  readonly remotes: ReadonlyMap<string, string>;
  /** First path segments that are no pages: those of the REST calls and the gateway's own. */
  readonly takenSegments: ReadonlySet<string>;
  /** Milliseconds between looks at each remote. */
  readonly everyMs: number;
  readonly onChange: () => void;
  readonly log: Logger;
}

export interface LiveRegistry {
  /** A new object whenever something has changed. */
  current(): Registry;
  /** Asks every remote now. */
  look(): Promise<void>;
  stop(): void;
}

/** Composes the registry from what each remote publishes itself, so that deploying one changes nothing else. */
export function openRegistry({ remotes, takenSegments, everyMs, onChange, log }: RegistryOptions): LiveRegistry {
  const known = new Map<string, RegisteredRemote>();
  let registry = compose();
  const files: PolledFile[] = [];

  function compose(): Registry {
    const names = [...remotes.keys()];
    return {
      remotes: names.flatMap((name) => known.get(name) ?? []),
      away: names.filter((name) => !known.has(name)),
    };
  }

  function accept(name: string, text: string): void {
    const checked = remoteDescriptorSchema.safeParse(JSON.parse(text));
    if (!checked.success) throw new Error(`remote.json is wrong: ${z.prettifyError(checked.error).replaceAll('\n', ' ')}`);
    if (checked.data.name !== name) throw new Error(`remote.json is of ${checked.data.name}`);
    known.set(name, { ...checked.data, pages: ownPages(checked.data), baseUrl: `/mf/${name}/` });
    registry = compose();
    log.info({ remote: name, version: checked.data.version }, 'remote registered');
    onChange();
  }

  /** A page that could never be opened, or that another remote has already, would only confuse the shell. */
  function ownPages(descriptor: RemoteDescriptor): RemoteDescriptor['pages'] {
    const others = new Set([...known.values()].filter(({ name }) => name !== descriptor.name).flatMap(({ pages }) => pages.map(({ path }) => path)));
    return descriptor.pages.filter(({ path }) => {
      const free = !takenSegments.has(path.split('/')[1] ?? '') && !others.has(path);
      if (!free) log.error({ remote: descriptor.name, path }, 'page left out: the address is taken');
      return free;
    });
  }

  for (const [name, url] of remotes) {
    files.push(pollFile({ url: `${url}/remote.json`, everyMs, log, onChange: (text) => accept(name, text) }));
  }

  return {
    current: () => registry,
    look: async () => void (await Promise.all(files.map((file) => file.look()))),
    stop: () => files.forEach((file) => file.stop()),
  };
}
