import type { PageDescriptor, Redirect, Route, SlotContribution } from '@clinic/contracts';
import { exposeOfPage } from '@clinic/contracts/remotes';

/** A remote's definition in its `remote.config.ts`. */
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
  /** The remote's contributions to other remotes' pages. */
  readonly slots?: readonly SlotDefinition[];
  /**
   * Calls that the remote makes and whose table isn't in a service's `src/contract`, where the build finds them.
   */
  readonly calls?: Readonly<Record<string, Route>>;
}

/** A remote's contribution to a slot, and its file. */
export interface SlotDefinition extends SlotContribution {
  /**
   * Path, relative to the remote's folder, of a module whose default export is made with `defineSlotModule`, e.g.
   * `./src/overview/overview-slot.tsx`.
   */
  readonly module: string;
}

/** Types a remote's definition; the build writes the rest of its `remote.json`. */
export function defineRemote(definition: RemoteDefinition): RemoteDefinition {
  return definition;
}

/** Name of a remote's federation container: containers must be identifiers (`mf_clinic`, not `mf-clinic`). */
export function containerOf(name: string): string {
  return name.replaceAll('-', '_');
}

/** Name of the chunk with a page, e.g. `page-dash-doctors`. */
export function chunkOfPage(route: string): string {
  return `page-${exposeOfPage(route).slice('./pages/'.length).replaceAll(/\W+/g, '-')}`;
}
