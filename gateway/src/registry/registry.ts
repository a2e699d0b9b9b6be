import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import type { Logger } from 'pino';
import { PageAddresses } from './page-addresses.ts';
import { pollFile } from '../replicas/polled-file.ts';
import { remoteOf } from './remote-schema.ts';
import type { SegmentClaims } from './segment-claims.ts';

export interface RegistryOptions {
  /** Addresses of each remote's servers by its name. */
  readonly remotes: ReadonlyMap<string, readonly string[]>;
  /** The shell's own pages. */
  readonly shellPages: readonly string[];
  /** Who owns which first segments: pages, REST calls, the gateway itself. */
  readonly claims: SegmentClaims;
  readonly demo: boolean;
  /** The release of a remote to serve instead of the deployed one. */
  readonly instead: (name: string) => RegisteredRemote | undefined;
  /** Builds of remotes that only a share of the visitors gets; their addresses are claimed as well. */
  readonly candidates: () => readonly RegisteredRemote[];
  /** Milliseconds between polls of each remote. */
  readonly everyMs: number;
  readonly onChange: () => void;
  readonly log: Logger;
}

export interface LiveRegistry {
  /** The current registry; a new object after each change. */
  current(): Registry;
  /** The registry with other builds of some remotes. */
  with(candidates: readonly RegisteredRemote[]): Registry;
  /** Polls every remote now. */
  poll(): Promise<void>;
  /** Call this after others have claimed or released segments. */
  share(): void;
  /** Call this after another release is served, or candidates have come or gone. */
  claim(): void;
  stop(): void;
}

/** Builds the registry from what each remote publishes, so that deploying one changes nothing else. */
export function openRegistry({
  remotes,
  shellPages,
  claims,
  demo,
  instead,
  candidates,
  everyMs,
  onChange,
  log,
}: RegistryOptions): LiveRegistry {
  const names = [...remotes.keys()];
  const addresses = new PageAddresses({ shellPages, claims, demo, log });
  const known = new Map<string, RegisteredRemote>();
  const servedOf = (name: string): RegisteredRemote | undefined => instead(name) ?? known.get(name);
  const compose = (others: readonly RegisteredRemote[] = []): Registry => ({
    remotes: addresses.share(
      names.flatMap((name) => {
        const own = servedOf(name);
        return own ? (others.find((other) => other.name === name) ?? own) : [];
      }),
    ),
    away: names.filter((name) => !servedOf(name)),
  });
  addresses.claim([]);
  let registry = compose();

  function share(): void {
    registry = compose();
    onChange();
  }

  function claim(): void {
    addresses.claim([...names.flatMap((name) => servedOf(name) ?? []), ...candidates()]);
    share();
  }

  function accept(name: string, text: string): void {
    const remote = remoteOf(name, text);
    known.set(name, remote);
    log.info({ remote: name, version: remote.version }, 'remote registered');
    claim();
  }

  const files = [...remotes].map(([name, urls]) =>
    pollFile({ urls: urls.map((url) => `${url}/remote.json`), everyMs, log, onChange: (text) => accept(name, text) }),
  );

  return {
    current: () => registry,
    with: compose,
    poll: async () => void (await Promise.all(files.map((file) => file.poll()))),
    share,
    claim,
    stop: () => files.forEach((file) => file.stop()),
  };
}
