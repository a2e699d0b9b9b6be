/** Summary of a collection's content, to compare copies. */
export interface Content {
  readonly count: number;
  /** Total size of its documents as BSON. */
  readonly bytes: number;
  /** SHA-256 of its documents, in the order of the file. */
  readonly sha256: string;
  /** Sum of the SHA-256 of each document, modulo 2^256: independent of the order in which they are read. */
  readonly sum: string;
}

/** A collection in a backup. */
export interface CollectionEntry extends Content {
  readonly db: string;
  readonly name: string;
  /** Number of indexes, including that of `_id`. */
  readonly indexes: number;
}

/** An account file in a backup. */
export interface AccountsEntry {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A backup's description of itself. */
export interface Manifest {
  /** Version of the file's format. */
  readonly format: 1;
  /** When it was started, ISO 8601 in UTC. */
  readonly madeAt: string;
  /** The program that made it. */
  readonly madeBy: string;
  readonly server: { readonly version: string; readonly embedded: boolean };
  /** Cluster time of the snapshot: seconds since 1970, and a counter within the second. */
  readonly pointInTime: { readonly seconds: number; readonly increment: number };
  readonly databases: readonly string[];
  readonly collections: readonly CollectionEntry[];
  readonly accounts: readonly AccountsEntry[];
}

/** Name of a collection in messages. */
export function namespaceOf({ db, name }: { readonly db: string; readonly name: string }): string {
  return `${db}.${name}`;
}
