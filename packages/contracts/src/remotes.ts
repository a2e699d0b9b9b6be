import type { PageDescriptor, Redirect } from './pages.ts';

/**
 * Version of the contract between shell and remotes. Raise it only when remotes built for the previous version could no
 * longer run; the shell shows a panel in place of a remote of another version.
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
  /** The commit it was built from, for people. */
  readonly commit?: string | undefined;
  readonly contractVersion: number;
  /** The remote's name for people, e.g. in the panel that says it is unavailable. */
  readonly title: string;
  readonly pages: readonly PageDescriptor[];
  readonly redirects: readonly Redirect[];
  /** The container's entry script, relative to `remote.json`. Builds by webpack's own container plugin have none. */
  readonly entry?: string | undefined;
  /**
   * Scripts for shells and gateways from before `entry`, which preload and run them; relative to `remote.json`, the
   * container first. Today's builds list a script that asks for a newer shell, because such a shell has no federation
   * runtime.
   */
  readonly preload: readonly string[];
  /**
   * Scripts of each page besides the entry, by its route path, relative to `remote.json`. The build's
   * `mf-manifest.json` lists them too; they are repeated here so that the gateway, which preloads them for the first
   * page, reads a single file that changes atomically.
   */
  readonly pagePreload?: Readonly<Record<string, readonly string[]>>;
  /**
   * Scripts that a page which arrives as HTML needs besides: of parts that it otherwise loads late, and that the HTML has. By its
   * route path, relative to `remote.json`.
   */
  readonly htmlPreload?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The shell's libraries that each page needs and that aren't loaded for all, by its route path. */
  readonly pageLibraries?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Stylesheet paths, relative to `remote.json`. */
  readonly styles: readonly string[];
  /**
   * Expected hash of each script and stylesheet, by its path relative to `remote.json`, e.g. `sha256-…`
   * (https://www.w3.org/TR/SRI/): a browser doesn't run a file that was altered on its way. A build without hashes is
   * rejected.
   */
  readonly integrity?: Readonly<Record<string, string>>;
  /**
   * The file with `integrity`, beside the others, for builds whose loaders wait for it: the gateway then writes only the
   * hashes of the opened page into the HTML.
   */
  readonly hashes?: HashFile | undefined;
  /**
   * Pages that visitors without a session get as HTML, by route path (docs/decisions/0021): the file of a page that is always the
   * same, and `rendered` for one that the remote's server renders on request. Builds of earlier kits have none.
   */
  readonly html?: Readonly<Record<string, HashFile | 'rendered'>> | undefined;
  /** What the remote adds to other remotes' pages. Builds from before slots existed have none. */
  readonly slots?: readonly SlotContribution[];
}

/** A file of a build and its hash. `hashes` names one with the hashes of all scripts and stylesheets by name, in JSON. */
export interface HashFile {
  /** Relative to the build's other files; its name changes with its content. */
  readonly file: string;
  /** Its own hash, e.g. `sha384-…`. */
  readonly integrity: string;
}

/**
 * A remote's part of a page that belongs to another remote. The page opens a slot by name and doesn't know who fills
 * it; at run time the shell collects what the registered remotes publish under that name.
 */
export interface SlotContribution {
  /** The slot's name, e.g. `overview`. */
  readonly slot: string;
  /** Lowest first, among the contributions of all remotes. */
  readonly order: number;
}

/** How a remote's federation container exposes its part of a slot. */
export function exposeOfSlot(slot: string): `./slots/${string}` {
  return `./slots/${slot}`;
}

/** How a remote's federation container exposes one of its pages: `/doctor/:_id` is `./pages/doctor/_id`. */
export function exposeOfPage(path: string): `./pages/${string}` {
  return `./pages/${path.replace(/^\//, '').replaceAll(':', '') || 'home'}`;
}

/** A remote as listed in the gateway's registry. */
export interface RegisteredRemote extends RemoteDescriptor {
  /** Where the remote's files are, with a trailing slash, e.g. `/mf/mf-clinic/`. */
  readonly baseUrl: string;
}

/**
 * Response of `GET /registry.json`; also inlined in pages that scripts draw, as `<script type="application/json" id="registry">`.
 * Pages that arrive as HTML ask for `/registry.json?page=<their route path>` once somebody uses them.
 */
export interface Registry {
  readonly remotes: readonly RegisteredRemote[];
  /** Names of configured remotes that haven't published a manifest yet. */
  readonly away: readonly string[];
  /**
   * The shell version that newly opened pages get: the name of its main script, e.g. `main.3ed09675853eafbdc217.js`.
   * Missing in the registry inside the page, which names that script.
   */
  readonly shell?: string | undefined;
}

/**
 * What a page that arrives as HTML loads once somebody uses it: `<script type="application/json" id="later-scripts">`
 * (docs/decisions/0021).
 */
export interface LaterFiles {
  /** The shell's own scripts, to be run in this order. */
  readonly scripts: readonly LaterFile[];
  /** What those scripts load first: requested at the same time. */
  readonly preloads: readonly (LaterFile & { readonly as: 'script' | 'style' })[];
  /** Address of the page's registry; none if the registry is in the HTML. */
  readonly registry?: string | undefined;
  /** Addresses of the calls whose answers the HTML has: made anew at the same time. */
  readonly calls?: readonly string[] | undefined;
}

/** A file of {@link LaterFiles}. */
export interface LaterFile {
  readonly href: string;
  /** Its expected hash, e.g. `sha384-…`; none in a developer's build. */
  readonly integrity?: string | undefined;
}
