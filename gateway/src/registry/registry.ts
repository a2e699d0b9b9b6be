import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import { acceptDescriptor } from '@clinic/contracts/window/remotes';
import type { Logger } from 'pino';
import { z } from 'zod';
import { PageAddresses } from './page-addresses.ts';
import { pollFile } from './polled-file.ts';
import { remoteDescriptorSchema } from './remote-schema.ts';
import type { SegmentClaims } from './segment-claims.ts';

export interface RegistryOptions {
  /** Addresses of each remote's servers by its name. */
  readonly remotes: ReadonlyMap<string, readonly string[]>;
  /** The shell's own pages. */
  readonly shellPages: readonly string[];
  /** Who owns which first segments: pages, REST calls, the gateway itself. */
  readonly claims: SegmentClaims;
  /** Milliseconds between polls of each remote. */
  readonly everyMs: number;
  readonly onChange: () => void;
  readonly log: Logger;
}

export interface LiveRegistry {
  /** The current registry; a new object after each change. */
  current(): Registry;
  /** Polls every remote now. */
  poll(): Promise<void>;
  /** Call this after others have claimed or released segments. */
  share(): void;
  stop(): void;
}

/** Builds the registry from what each remote publishes, so that deploying one changes nothing else. */
export function openRegistry({ remotes, shellPages, claims, everyMs, onChange, log }: RegistryOptions): LiveRegistry {
  const names = [...remotes.keys()];
  const addresses = new PageAddresses({ shellPages, claims, log });
  const known = new Map<string, RegisteredRemote>();
  const compose = (): Registry => ({
    remotes: addresses.share(names.flatMap((name) => known.get(name) ?? [])),
    away: names.filter((name) => !known.has(name)),
  });
  addresses.claim([]);
  let registry = compose();

  function share(): void {
    registry = compose();
    onChange();
  }

  function accept(name: string, text: string): void {
    const remote = remoteOf(name, text);
    known.set(name, remote);
    log.info({ remote: name, version: remote.version }, 'remote registered');
    addresses.claim(known.values());
    share();
  }

  const files = [...remotes].map(([name, urls]) =>
    pollFile({ urls: urls.map((url) => `${url}/remote.json`), everyMs, log, onChange: (text) => accept(name, text) }),
  );

  return {
    current: () => registry,
    poll: async () => void (await Promise.all(files.map((file) => file.poll()))),
    share,
    stop: () => files.forEach((file) => file.stop()),
  };
}

/** @throws Error if this isn't a valid `remote.json` of this remote */
function remoteOf(name: string, text: string): RegisteredRemote {
  const { success, data, error } = remoteDescriptorSchema.safeParse(acceptDescriptor(JSON.parse(text)));
  if (!success) throw new Error(`remote.json is invalid: ${z.prettifyError(error).replaceAll('\n', ' ')}`);
  if (data.name !== name) throw new Error(`remote.json belongs to ${data.name}`);
  return { ...data, baseUrl: `/mf/${name}/` };
}
