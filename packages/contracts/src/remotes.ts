import type { PageDescriptor, Redirect } from './pages.ts';

/**
 * Version of the agreement between shell and remotes. Raised only when a remote built for the version before could
 * not run any more; the shell refuses other versions with a panel in the page instead of a crash.
 */
export const contractVersion = 1;

/**
 * What a remote publishes about itself as `remote.json` beside its files (docs/decisions/0002). Written by its build.
 */
export interface RemoteDescriptor {
  /** Name of the deployed app, e.g. `mf-clinic`. */
  readonly name: string;
  /** Name of the federation container: an identifier, e.g. `mf_clinic`. */
  readonly container: string;
  /** Version of this build: package version and a digest of the files. */
  readonly version: string;
  readonly contractVersion: number;
  /** The remote's name for people, e.g. in the panel that says it is away. */
  readonly title: string;
  readonly pages: readonly PageDescriptor[];
  readonly redirects: readonly Redirect[];
  /** Script paths needed for the first page, relative to `remote.json`, to be preloaded: entry first. */
  readonly preload: readonly string[];
  /** What each page needs beside that, by its route path, relative to `remote.json`: preloaded for those who come to that page first. */
  readonly pagePreload?: Readonly<Record<string, readonly string[]>>;
  /** Stylesheet paths, relative to `remote.json`. */
  readonly styles: readonly string[];
  /**
   * What a browser must find in each script and stylesheet, by its path relative to `remote.json`, e.g. `sha256-…`
   * (https://www.w3.org/TR/SRI/): a file that was altered on its way is not run. A build without it is refused.
   */
  readonly integrity?: Readonly<Record<string, string>>;
  /** What the remote adds to pages of others; of a build from before there were slots: nothing. */
  readonly slots?: readonly SlotContribution[];
}

/**
 * A remote's part of a page that belongs to somebody else. The page offers a place by name and knows nobody who fills it; at
 * run time it is composed of what the registered remotes publish for that name.
 */
export interface SlotContribution {
  /** The place's name, e.g. `overview`. */
  readonly slot: string;
  /** Among the contributions of all remotes the lower comes first. */
  readonly order: number;
}

/** How a remote's federation container exposes its part of a slot. */
export function exposeOfSlot(slot: string): `./slots/${string}` {
  return `./slots/${slot}`;
}

/** A remote as the gateway's registry names it to the shell. */
export interface RegisteredRemote extends RemoteDescriptor {
  /** Where the remote's files are, with a slash at the end, e.g. `/mf/mf-clinic/`. */
  readonly baseUrl: string;
}

/** Answer of `GET /registry.json`; also inlined in the shell's page as `<script type="application/json" id="registry">`. */
export interface Registry {
  readonly remotes: readonly RegisteredRemote[];
  /** Names of remotes that belong here but have not said yet what they offer. */
  readonly away: readonly string[];
  /** Which shell pages that are opened now get: the name of its main script, e.g. `main.3ed09675853eafbdc217.js`. Not in the page, which has it. */
  readonly shell?: string | undefined;
}
