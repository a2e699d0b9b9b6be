import { hash } from 'node:crypto';
import type { Document } from 'mongodb';
import { ContentDigest } from './content-digest.ts';
import { BackupError } from './errors.ts';
import { accountsIn, decodeExactly, documentsIn } from './frames.ts';
import { checkEnvelope, framesOf, type Input } from './input.ts';
import { namespaceOf, type CollectionEntry, type Manifest } from './manifest.ts';

/** A collection as a backup describes it. */
export interface Described {
  readonly db: string;
  readonly name: string;
  /** What it was created with, e.g. its validator. */
  readonly options: Document;
  /** As `listIndexes` shows them. */
  readonly indexes: readonly Document[];
}

/** What a backup is told of, part by part; each step may take its time. */
export interface Visitor {
  collection?(described: Described): Promise<void>;
  /** Some documents of the collection told of last: as one piece, and one by one. */
  documents?(documents: readonly Buffer[]): Promise<void>;
  /** The collection told of last is complete. */
  collectionEnd?(entry: CollectionEntry): Promise<void>;
  accounts?(name: string, content: Buffer): Promise<void>;
}

/**
 * Reads a backup from its first byte to its last and compares it with what it says about itself.
 *
 * @param visitor is told what is found on the way, before the whole is known to be right
 * @throws BackupError when the file is cut off, changed, or no backup
 */
export async function readBackup(input: Input, visitor: Visitor = {}): Promise<Manifest> {
  await checkEnvelope(input);
  const found: CollectionEntry[] = [];
  const accounts: Manifest['accounts'][number][] = [];
  let open: { described: Described; digest: ContentDigest } | undefined;
  let manifest: Manifest | undefined;
  const end = async (): Promise<void> => {
    if (!open) return;
    const { described: { db, name, indexes }, digest } = open;
    open = undefined;
    const entry = { db, name, indexes: indexes.length, ...digest.content() };
    found.push(entry);
    await visitor.collectionEnd?.(entry);
  };
  for await (const { type, payload } of framesOf(input)) {
    if (manifest) throw new BackupError(`${input.name} goes on after its end`);
    switch (type) {
      case 'C':
        await end();
        open = { described: decodeExactly(payload) as Described, digest: new ContentDigest() };
        await visitor.collection?.(open.described);
        break;
      case 'D': {
        if (!open) throw new BackupError(`${input.name} has documents of no collection`);
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

function compare(file: string, manifest: Manifest, found: readonly CollectionEntry[], accounts: Manifest['accounts']): void {
  const differs = (what: string): never => {
    throw new BackupError(`${file} does not hold what it says: ${what} differs. Take another backup`);
  };
  const byName = new Map(found.map((entry) => [namespaceOf(entry), entry]));
  if (byName.size !== manifest.collections.length) differs('the list of collections');
  for (const said of manifest.collections) {
    const is = byName.get(namespaceOf(said));
    if (is?.count !== said.count || is.sha256 !== said.sha256 || is.sum !== said.sum || is.indexes !== said.indexes) differs(namespaceOf(said));
  }
  if (JSON.stringify(accounts) !== JSON.stringify(manifest.accounts)) differs('the accounts');
}
