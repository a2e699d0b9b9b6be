/** What a collection holds, to compare copies of it. */
export interface Content {
  readonly count: number;
  /** Of all its documents as BSON. */
  readonly bytes: number;
  /** SHA-256 of its documents in the order of the file. */
  readonly sha256: string;
  /** The sum of the SHA-256 of each of its documents, modulo 2^256: the same in whatever order they are read. */
  readonly sum: string;
}

/** A collection in a backup. */
export interface CollectionEntry extends Content {
  readonly db: string;
  readonly name: string;
  /** How many indexes it has, that of `_id` among them. */
  readonly indexes: number;
}

/** A file of sign-in accounts in a backup. */
export interface AccountsEntry {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup says about itself. */
export interface Manifest {
  /** Version of the file's format. */
  readonly format: 1;
  /** When it was begun, ISO 8601 in UTC. */
  readonly madeAt: string;
  /** The program that made it. */
  readonly madeBy: string;
  readonly server: { readonly version: string; readonly embedded: boolean };
  /** The cluster's time that all of it is of: seconds since 1970, and a count within the second. */
  readonly pointInTime: { readonly seconds: number; readonly increment: number };
  readonly databases: readonly string[];
  readonly collections: readonly CollectionEntry[];
  readonly accounts: readonly AccountsEntry[];
}

/** How the messages name a collection. */
export function namespaceOf({ db, name }: { readonly db: string; readonly name: string }): string {
  return `${db}.${name}`;
}
