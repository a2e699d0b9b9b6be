import type { PageDescriptor, Redirect, SlotContribution } from '@clinic/contracts';

/** What a remote says about itself in its `remote.config.ts`. */
export interface RemoteDefinition {
  /** Name of the deployed app and of its folder, e.g. `mf-clinic`. */
  readonly name: string;
  /** The remote's name for people. */
  readonly title: string;
  readonly pages: readonly PageDescriptor[];
  readonly redirects: readonly Redirect[];
  /** What it adds to pages of others. */
  readonly slots?: readonly SlotDefinition[];
}

/** A remote's part of a slot, and the file it is in. */
export interface SlotDefinition extends SlotContribution {
  /** The module whose default export is made with `defineSlotModule`, from the remote's folder, e.g. `./src/overview/overview-slot.tsx`. */
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
