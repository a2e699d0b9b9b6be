import { hash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { dirname } from 'node:path';
import { readAccounts, type AccountsFile } from './accounts.ts';
import { ContentDigest } from './content-digest.ts';
import { makeKey, type Encryption } from './encryption.ts';
import { asBackupError, connect, databasesOf, type Database } from './database.ts';
import { accountsFrame, frame } from './frames.ts';
import { openInput } from './input.ts';
import { namespaceOf, type CollectionEntry, type Manifest } from './manifest.ts';
import { fileName, prune, targetFile, writeFileWhole, writeStream } from './output.ts';
import { encodeDescription, openPointInTime, type PointInTime } from './point-in-time.ts';
import type { Settings } from './settings.ts';
import { readBackup } from './verify.ts';

/** What {@link backUp} can be told. */
export interface BackupOptions {
  readonly settings: Settings;
  /** A file, a folder, or a stream. */
  readonly target: string | Writable;
  readonly encryption: Encryption;
  /** Only these databases; otherwise all that the user may read. */
  readonly databases?: readonly string[];
  /** With a folder: how many backups it keeps, the new one among them. */
  readonly keep?: number;
  /** Breaks it off; nothing is left behind. */
  readonly signal?: AbortSignal;
  /** Is told how it goes. */
  readonly say?: (text: string) => void;
}

/** A backup that was made. */
export interface BackupResult {
  readonly manifest: Manifest;
  /** Where it is; undefined for a stream. */
  readonly file?: string;
}

const MADE_BY = '@clinic/backup 1.0.0';
/** Documents travel in pieces of about this size, which is also what the one who restores sends at once. */
const PIECE_BYTES = 1024 * 1024;
const PIECE_DOCUMENTS = 1000;

/**
 * Copies all databases of the clinic, as of one moment, and the accounts where there are some. A file is read again and
 * compared before it gets its name.
 *
 * @throws BackupError when it can't be made; then there is no file
 */
export async function backUp({ settings, target, encryption, databases, keep, signal, say = () => {} }: BackupOptions): Promise<BackupResult> {
  const madeAt = new Date();
  const name = fileName(madeAt, encryption !== 'off');
  const file = typeof target === 'string' ? await targetFile(target, name) : undefined;
  const database = await connect(settings);
  try {
    const names = databases ?? (await databasesOf(database));
    const moment = await openPointInTime(database, names);
    try {
      // After the moment of the databases: whoever they know has an account.
      const accounts = settings.accountsDir === undefined ? [] : await readAccounts(settings.accountsDir);
      const manifest = emptyManifest(database, moment, madeAt, names);
      const parts = Readable.from(partsOf(moment, accounts, manifest, say), { objectMode: false, highWaterMark: PIECE_BYTES });
      const write = (to: Writable, recipients?: readonly string[]): Promise<void> => writeStream(parts, to, { recipients, signal });
      if (file === undefined) await write(target as Writable, encryption === 'off' ? undefined : encryption.recipients);
      else {
        // Reading the file again takes an identity, and those of the recipients are elsewhere: this one lives as long as this call.
        const checking = encryption === 'off' ? undefined : await makeKey();
        const recipients = encryption === 'off' || !checking ? undefined : [...encryption.recipients, checking.recipient];
        await writeFileWhole(file, (to) => write(to, recipients), async (temporary) => {
          say('reading it again …');
          const written = await openInput(temporary, checking ? [checking.identity] : []);
          await readBackup(written).finally(() => written.close());
        });
        if (keep !== undefined && file.endsWith(name)) for (const old of await prune(dirname(file), keep)) say(`removed ${old}`);
      }
      return { manifest, ...(file !== undefined && { file }) };
    } finally {
      await moment.close();
    }
  } catch (error) {
    throw signal?.aborted ? error : asBackupError(error, settings, 'the backup was not made');
  } finally {
    await database.close();
  }
}

/** A manifest that is filled while the parts go out. */
type GrowingManifest = Omit<Manifest, 'collections' | 'accounts'> & { readonly collections: CollectionEntry[]; readonly accounts: Manifest['accounts'][number][] };

function emptyManifest({ version, embedded }: Database, { time }: PointInTime, madeAt: Date, databases: readonly string[]): GrowingManifest {
  return {
    format: 1, madeAt: madeAt.toISOString(), madeBy: MADE_BY, server: { version, embedded },
    pointInTime: { seconds: time.getHighBits() >>> 0, increment: time.getLowBits() >>> 0 }, databases, collections: [], accounts: [],
  };
}

async function* partsOf(moment: PointInTime, accounts: readonly AccountsFile[], manifest: GrowingManifest, say: (text: string) => void): AsyncGenerator<Buffer> {
  for (const described of moment.collections) {
    const { db, name, indexes } = described;
    yield frame('C', encodeDescription(described));
    const digest = new ContentDigest();
    let piece: Buffer[] = [];
    let bytes = 0;
    for await (const document of moment.read(described)) {
      digest.add(document);
      piece.push(document);
      bytes += document.length;
      if (bytes < PIECE_BYTES && piece.length < PIECE_DOCUMENTS) continue;
      yield frame('D', ...piece);
      piece = [];
      bytes = 0;
    }
    if (bytes > 0) yield frame('D', ...piece);
    manifest.collections.push({ db, name, indexes: indexes.length, ...digest.content() });
    say(`${namespaceOf(described)}: ${digest.count.toLocaleString('en')} documents`);
  }
  for (const { name, content } of accounts) {
    yield accountsFrame(name, content);
    manifest.accounts.push({ name, bytes: content.length, sha256: hash('sha256', content) });
    say(`accounts of ${name.replace(/\.json$/, '')}`);
  }
  yield frame('M', Buffer.from(JSON.stringify(manifest)));
}
