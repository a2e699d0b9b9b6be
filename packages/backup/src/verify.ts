import { hash } from 'node:crypto';
import type { Document } from 'mongodb';
import { ContentDigest } from './content-digest.ts';
import { BackupError } from './errors.ts';
import { accountsIn, decodeExactly, documentsIn } from './frames.ts';
import { checkEnvelope, framesOf, type Input } from './input.ts';
import { namespaceOf, type CollectionEntry, type Manifest } from './manifest.ts';

/** A backup's description of a collection. */
export interface Described {
  readonly db: string;
  readonly name: string;
  /** Options it was created with, e.g. its validator. */
  readonly options: Document;
  /** As returned by `listIndexes`. */
  readonly indexes: readonly Document[];
}

/** Callbacks for the parts of a backup, each awaited. */
export interface Visitor {
  collection?(described: Described): Promise<void>;
  /** Some documents of the current collection. */
  documents?(documents: readonly Buffer[]): Promise<void>;
  /** The current collection is complete. */
  collectionEnd?(entry: CollectionEntry): Promise<void>;
  accounts?(name: string, content: Buffer): Promise<void>;
}

/**
 * Reads a backup from start to end and compares it with its manifest.
 *
 * @param visitor called with each part as it is read, before the whole is verified
 * @throws BackupError if the file is truncated, changed, or not a backup
 */
export async function readBackup(input: Input, visitor: Visitor = {}): Promise<Manifest> {
  await checkEnvelope(input);
  const found: CollectionEntry[] = [];
  const accounts: Manifest['accounts'][number][] = [];
  let open: { described: Described; digest: ContentDigest } | undefined;
  let manifest: Manifest | undefined;
  const end = async (): Promise<void> => {
    if (!open) return;
    const {
      described: { db, name, indexes },
      digest,
    } = open;
    open = undefined;
    const entry = { db, name, indexes: indexes.length, ...digest.content() };
    found.push(entry);
    await visitor.collectionEnd?.(entry);
  };
  for await (const { type, payload } of framesOf(input)) {
    if (manifest) throw new BackupError(`${input.name} continues after its end`);
    switch (type) {
      case 'C':
        await end();
        open = { described: decodeExactly(payload) as Described, digest: new ContentDigest() };
        await visitor.collection?.(open.described);
        break;
      case 'D': {
        if (!open) throw new BackupError(`${input.name} has documents outside a collection`);
        const documents = [...documentsIn(payload)];
        for (const document of documents) open.digest.add(document);
        await visitor.documents?.(documents);
        break;
      }
      case 'F': {
        await end();
        const { name, content } = accountsIn(payload);
        accounts.push({ name, bytes: content.length, sha256: hash('sha256', content) });
        await visitor.accounts?.(name, content);
        break;
      }
      case 'M':
        await end();
        manifest = JSON.parse(payload.toString('utf8')) as Manifest;
        break;
    }
  }
  if (!manifest) throw new BackupError(`${input.name} has no manifest`);
  compare(input.name, manifest, found, accounts);
  return manifest;
}

function compare(
  file: string,
  manifest: Manifest,
  found: readonly CollectionEntry[],
  accounts: Manifest['accounts'],
): void {
  const differs = (what: string): never => {
    throw new BackupError(`${file} does not match its manifest: ${what} differs. Use another backup`);
  };
  const byName = new Map(found.map((entry) => [namespaceOf(entry), entry]));
  if (byName.size !== manifest.collections.length) differs('the list of collections');
  for (const expected of manifest.collections) {
    const actual = byName.get(namespaceOf(expected));
    if (
      actual?.count !== expected.count ||
      actual.sha256 !== expected.sha256 ||
      actual.sum !== expected.sum ||
      actual.indexes !== expected.indexes
    )
      differs(namespaceOf(expected));
  }
  if (JSON.stringify(accounts) !== JSON.stringify(manifest.accounts)) differs('the accounts');
}
