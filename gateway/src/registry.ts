import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import type { Logger } from 'pino';
import { z } from 'zod';
import { pollFile, type PolledFile } from './polled-file.ts';
import { remoteDescriptorSchema } from './remote-schema.ts';
import type { SegmentClaims } from './segment-claims.ts';

export interface RegistryOptions {
  /** Addresses of each remote's servers by its name. */
  readonly remotes: ReadonlyMap<string, readonly string[]>;
  /** Pages of the shell itself. */
  readonly shellPages: readonly string[];
  /** Who owns which first segments: pages, REST calls, the gateway itself. */
  readonly claims: SegmentClaims;
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
  /** To be called when others have claimed or given up segments. */
  share(): void;
  stop(): void;
}

/** Who owns the segments of pages, whichever remote's. */
export const pagesOwner = 'pages';

/** Composes the registry from what each remote publishes itself, so that deploying one changes nothing else. */
export function openRegistry({ remotes, shellPages, claims, everyMs, onChange, log }: RegistryOptions): LiveRegistry {
  const known = new Map<string, RegisteredRemote>();
  const leftOut = new Set<string>();
  const files: PolledFile[] = [];
  let registry = compose();
  claimPages();

  function claimPages(): void {
    const paths = [...known.values()].flatMap(({ pages, redirects }) => [...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)]);
    claims.claim(pagesOwner, [...new Set([...shellPages, ...paths].map(segmentOf))]);
  }

  function compose(): Registry {
    const names = [...remotes.keys()];
    const taken = new Set<string>();
    return {
      remotes: names.flatMap((name) => {
        const remote = known.get(name);
        return remote ? { ...remote, pages: ownPages(remote, taken) } : [];
      }),
      away: names.filter((name) => !known.has(name)),
    };
  }

  /** A page that could never be opened, or that another remote has already, would only confuse the shell. */
  function ownPages({ name, pages }: RegisteredRemote, taken: Set<string>): RegisteredRemote['pages'] {
    return pages.filter(({ path }) => {
      const key = `${name} ${path}`;
      const free = claims.owns(pagesOwner, segmentOf(path)) && !taken.has(path);
      if (free) leftOut.delete(key);
      else if (!leftOut.has(key)) log.error({ remote: name, path, takenBy: claims.ownerOf(segmentOf(path)) }, 'page left out: the address is taken');
      if (!free) leftOut.add(key);
      taken.add(path);
      return free;
    });
  }

  function accept(name: string, text: string): void {
    const checked = remoteDescriptorSchema.safeParse(JSON.parse(text));
    if (!checked.success) throw new Error(`remote.json is wrong: ${z.prettifyError(checked.error).replaceAll('\n', ' ')}`);
    const { name: its, version } = checked.data;
    if (its !== name) throw new Error(`remote.json is of ${its}`);
    known.set(name, { ...checked.data, baseUrl: `/mf/${name}/` });
    log.info({ remote: name, version }, 'remote registered');
    claimPages();
    share();
  }

  function share(): void {
    registry = compose();
    onChange();
  }

  for (const [name, urls] of remotes) {
    files.push(pollFile({ urls: urls.map((url) => `${url}/remote.json`), everyMs, log, onChange: (text) => accept(name, text) }));
  }

  return {
    current: () => registry,
    look: async () => void (await Promise.all(files.map((file) => file.look()))),
    share,
    stop: () => files.forEach((file) => file.stop()),
  };
}

function segmentOf(path: string): string {
  return path.split('/')[1] ?? '';
}
