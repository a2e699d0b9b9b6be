import { contractVersion } from '../remotes.ts';
import { type PastContract, windowOf } from './window.ts';

/** What every module that a remote exposes declares. */
export interface ExposedModule {
  readonly contractVersion: number;
}

/** Adapts remotes that were built for the contract version before. */
export interface PastRemoteContract extends PastContract {
  /**
   * Turns a `remote.json` into one of the newest version. Its `contractVersion` stays: the module behind it is still
   * old.
   */
  readonly descriptor: (published: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Turns an exposed module into one of the newest version. */
  readonly module: (exposed: ExposedModule) => ExposedModule;
}

/** The contract before {@link contractVersion}. Version 1 is the first, so there is none yet. */
export const pastRemotes: PastRemoteContract | undefined = undefined as PastRemoteContract | undefined;

/** The contract versions of remotes that gateway and shell accept. */
export const remoteWindow = windowOf(contractVersion, pastRemotes);

/** Whether the shell runs remotes of a contract version. */
export function isAccepted(version: number): boolean {
  return version === contractVersion || (pastRemotes !== undefined && version === pastRemotes.version);
}

/** @returns an exposed module as the newest contract version has it; undefined if its version isn't accepted */
export const acceptModule = (exposed: ExposedModule): ExposedModule | undefined =>
  exposed.contractVersion === contractVersion
    ? exposed
    : pastRemotes && exposed.contractVersion === pastRemotes.version
      ? pastRemotes.module(exposed)
      : undefined;

/**
 * @returns a `remote.json` as the newest contract version has it; unchanged if its version isn't accepted, which the
 * shell reports
 */
export function acceptDescriptor(published: unknown): unknown {
  return pastRemotes && isRecord(published) && published['contractVersion'] === pastRemotes.version
    ? pastRemotes.descriptor(published)
    : published;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
