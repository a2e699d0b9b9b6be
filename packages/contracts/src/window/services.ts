import { serviceContractVersion } from '../publication.ts';
import { type PastContract, windowOf } from './window.ts';

/** Adapts services that were built for the contract version before. */
export interface PastServiceContract extends PastContract {
  /** Turns a publication into one of the newest version. */
  readonly publication: (published: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** The contract before {@link serviceContractVersion}. Version 1 is the first, so there is none yet. */
export const pastServices: PastServiceContract | undefined = undefined as PastServiceContract | undefined;

/** The contract versions of services that the gateway accepts. */
export const serviceWindow = windowOf(serviceContractVersion, pastServices);

/**
 * @returns a publication in the newest contract version; the gateway keeps it on disk
 * @throws Error if its version isn't accepted
 */
export function acceptPublication(published: unknown): unknown {
  const version =
    typeof published === 'object' && published !== null ? Reflect.get(published, 'contractVersion') : undefined;
  if (version === serviceContractVersion) return published;
  if (pastServices && version === pastServices.version)
    return {
      ...pastServices.publication(published as Readonly<Record<string, unknown>>),
      contractVersion: serviceContractVersion,
    };
  const { newest, oldest } = serviceWindow;
  throw new Error(
    `its contract version is ${String(version)}, not ${oldest === newest ? '' : `${oldest} or `}${newest}`,
  );
}
