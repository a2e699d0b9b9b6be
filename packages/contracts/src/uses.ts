import type { ContractWindow } from './window/window.ts';

/** A call that a front-end makes. */
export interface UsedCall {
  readonly id: string;
  readonly service: string;
  readonly method: string;
  readonly path: string;
}

/** What a remote takes from the shell under one shared name. */
export interface UsedLibrary {
  /** Accepted versions, e.g. `^19.0.0`; none for our own libraries, for which the names below decide. */
  readonly range?: string;
  /** Names that it imports; `*` stands for the whole library. */
  readonly names: readonly string[];
}

/** What a remote needs from a clinic, recorded by its build beside `remote.json` (`uses.json`). */
export interface RemoteUses {
  readonly contractVersion: number;
  /** By the name under which the shell shares it. */
  readonly libraries: Readonly<Record<string, UsedLibrary>>;
  readonly calls: readonly UsedCall[];
}

/** File beside `remote.json`; separate, because every page contains that file. */
export const usesFile = 'uses.json';

/** A library that a shell shares. */
export interface ProvidedLibrary {
  readonly version: string;
  /** Its exports; none if they can't be known, as for React. */
  readonly names?: readonly string[];
}

/** What a shell provides to remotes, recorded by its build (`provides.json`). */
export interface ShellProvides {
  /** The contract versions of remotes that it runs. */
  readonly contracts: ContractWindow;
  /** By shared name. */
  readonly libraries: Readonly<Record<string, ProvidedLibrary>>;
}

/** File among the shell's own. */
export const providesFile = 'provides.json';

/** A service behind a gateway. */
export interface DeployedService {
  readonly name: string;
  readonly version: string;
  readonly contractVersion: number;
  readonly segments: readonly string[];
  readonly calls: readonly Omit<UsedCall, 'service'>[];
}

/** Response of {@link deployedPath}: what runs behind a gateway, for checks before a deployment. */
export interface Deployed {
  /** The contract versions of services that the gateway accepts. */
  readonly contracts: ContractWindow;
  readonly services: readonly DeployedService[];
  /** Configured services that haven't responded to the gateway yet. */
  readonly unknown: readonly string[];
}

/** Path at which a gateway publishes it. */
export const deployedPath = '/deployed.json';
