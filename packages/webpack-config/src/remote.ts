import type { PageDescriptor, Redirect, Route, SlotContribution } from '@clinic/contracts';
import { exposeOfPage } from '@clinic/contracts/remotes';

/** A remote's definition, as `defineRemote` makes it. */
export interface RemoteDefinition {
  /** Name of the deployed app and of its folder, e.g. `mf-clinic`. */
  readonly name: string;
  /** Display name of the remote. */
  readonly title: string;
  readonly pages: readonly PageDescriptor[];
  /**
   * The file of each page by its route path, relative to the remote's folder; its default export is made with
   * `definePage`, and it imports what all pages of the remote need, such as the stylesheet. Each page is exposed on its
   * own, so that the first one opened loads nothing of the others.
   */
  readonly screens: Readonly<Record<string, string>>;
  readonly redirects: readonly Redirect[];
  /**
   * Pages that visitors without a session get as HTML, by route path: `built` at the build, which fails if the page needs data, or
   * `rendered` on request by the remote's server (docs/decisions/0021).
   */
  readonly html?: Readonly<Record<string, PageHtml>>;
  /** The remote's contributions to other remotes' pages. */
  readonly slots?: readonly SlotDefinition[];
  /**
   * Calls that the remote makes and whose table isn't in a service's `src/contract`, where the build finds them.
   */
  readonly calls?: Readonly<Record<string, Route>>;
}

export type PageHtml = 'built' | 'rendered';

/** A remote's contribution to a slot, and its file. */
export interface SlotDefinition extends SlotContribution {
  /**
   * Path, relative to the remote's folder, of a module whose default export is made with `defineSlotModule`, e.g.
   * `./src/overview/overview-slot.tsx`.
   */
  readonly module: string;
}

/** A remote's definition as it is written: each page names the file of its screen. */
export interface WrittenRemote extends Omit<RemoteDefinition, 'pages' | 'screens' | 'html'> {
  readonly pages: readonly (PageDescriptor & {
    readonly screen?: string;
    /** As in {@link RemoteDefinition.html}. */
    readonly html?: PageHtml;
  })[];
  /** The files of pages that don't name them. */
  readonly screens?: RemoteDefinition['screens'];
}

/** Types a remote's definition; the build writes the rest of its `remote.json`. */
export function defineRemote({ pages, screens, ...rest }: WrittenRemote): RemoteDefinition {
  const named = pages.flatMap(({ path, screen }) => (screen === undefined ? [] : [[path, screen] as const]));
  const asHtml = pages.flatMap(({ path, html }) => (html === undefined ? [] : [[path, html] as const]));
  return {
    ...rest,
    pages: pages.map(({ screen: _screen, html: _html, ...page }) => page),
    screens: { ...screens, ...Object.fromEntries(named) },
    html: Object.fromEntries(asHtml),
  };
}

/** Name of a remote's federation container: containers must be identifiers (`mf_clinic`, not `mf-clinic`). */
export function containerOf(name: string): string {
  return name.replaceAll('-', '_');
}

/** Name of the chunk with a page, e.g. `page-dash-doctors`. */
export function chunkOfPage(route: string): string {
  return `page-${exposeOfPage(route).slice('./pages/'.length).replaceAll(/\W+/g, '-')}`;
}
