import type { HashFile, RemoteDescriptor, SlotContribution } from './schemas/remote-descriptor.ts';

export type { HashFile, RemoteDescriptor, SlotContribution };

/**
 * Version of the contract between shell and remotes. Raise it only when remotes built for the previous version could no
 * longer run; the shell shows a panel in place of a remote of another version.
 */
export const contractVersion = 1;

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
