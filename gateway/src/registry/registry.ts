import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import type { Logger } from 'pino';
import { z } from 'zod';
import { pollFile, type PolledFile } from './polled-file.ts';
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

/** Owner name for the segments of all pages, whichever remote they belong to. */
export const pagesOwner = 'pages';

/** Builds the registry from what each remote publishes, so that deploying one changes nothing else. */
export function openRegistry({ remotes, shellPages, claims, everyMs, onChange, log }: RegistryOptions): LiveRegistry {
  const known = new Map<string, RegisteredRemote>();
  const leftOut = new Set<string>();
  const files: PolledFile[] = [];
  let registry = compose();
  claimPages();

  function claimPages(): void {
    const paths = [...known.values()].flatMap(({ pages, redirects }) => [
      ...pages.map(({ path }) => path),
      ...redirects.map(({ from }) => from),
    ]);
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

  /** Leaves out pages that could never be opened or that another remote already has; they would only confuse the shell. */
  function ownPages({ name, pages }: RegisteredRemote, taken: Set<string>): RegisteredRemote['pages'] {
    return pages.filter(({ path }) => {
      const key = `${name} ${path}`;
      const free = claims.owns(pagesOwner, segmentOf(path)) && !taken.has(path);
      if (free) leftOut.delete(key);
      else if (!leftOut.has(key))
        log.error(
          { remote: name, path, takenBy: claims.ownerOf(segmentOf(path)) },
          'page left out: the address is taken',
        );
      if (!free) leftOut.add(key);
      taken.add(path);
      return free;
    });
  }

  function accept(name: string, text: string): void {
    const checked = remoteDescriptorSchema.safeParse(JSON.parse(text));
    if (!checked.success)
      throw new Error(`remote.json is invalid: ${z.prettifyError(checked.error).replaceAll('\n', ' ')}`);
    const { name: its, version } = checked.data;
    if (its !== name) throw new Error(`remote.json belongs to ${its}`);
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
    files.push(
      pollFile({ urls: urls.map((url) => `${url}/remote.json`), everyMs, log, onChange: (text) => accept(name, text) }),
    );
  }

  return {
    current: () => registry,
    poll: async () => void (await Promise.all(files.map((file) => file.poll()))),
    share,
    stop: () => files.forEach((file) => file.stop()),
  };
}

function segmentOf(path: string): string {
  return path.split('/')[1] ?? '';
}
