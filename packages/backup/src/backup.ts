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
import { recordBackup } from './metrics-file.ts';
import { fileName, prune, targetFile, writeFileWhole, writeStream } from './output.ts';
import { encodeDescription, openPointInTime, type PointInTime } from './point-in-time.ts';
import type { Settings } from './settings.ts';
import { readBackup } from './verify.ts';

/** Options of {@link backUp}. */
export interface BackupOptions {
  readonly settings: Settings;
  /** A file, a folder, or a stream. */
  readonly target: string | Writable;
  readonly encryption: Encryption;
  /** Only these databases; by default all that the user can read. */
  readonly databases?: readonly string[];
  /** With a folder: number of backups to keep in it, including the new one. */
  readonly keep?: number;
  /** Aborts it; nothing is left behind. */
  readonly signal?: AbortSignal;
  /** Receives progress messages. */
  readonly say?: (text: string) => void;
}

/** A completed backup. */
export interface BackupResult {
  readonly manifest: Manifest;
  /** Path of the file; `undefined` for a stream. */
  readonly file?: string;
}

const MADE_BY = '@clinic/backup 1.0.0';
/** Documents are grouped into chunks of about this size, which is also the batch size of a restore. */
const PIECE_BYTES = 1024 * 1024;
const PIECE_DOCUMENTS = 1000;

/**
 * Backs up all of the clinic's databases at one point in time, and the accounts if there are any. A file is read back
 * and compared before it gets its final name.
 *
 * @throws BackupError if it fails; then there is no file
 */
export async function backUp({
  settings,
  target,
  encryption,
  databases,
  keep,
  signal,
  say = () => {},
}: BackupOptions): Promise<BackupResult> {
  const madeAt = new Date();
  const name = fileName(madeAt, encryption !== 'off');
  const file = typeof target === 'string' ? await targetFile(target, name) : undefined;
  const database = await connect(settings);
  try {
    const names = databases ?? (await databasesOf(database));
    const moment = await openPointInTime(database, names);
    try {
      // After the databases' point in time, so that everyone they refer to has an account.
      const accounts = settings.accountsDir === undefined ? [] : await readAccounts(settings.accountsDir);
      const manifest = emptyManifest(database, moment, madeAt, names);
      const parts = Readable.from(partsOf(moment, accounts, manifest, say), {
        objectMode: false,
        highWaterMark: PIECE_BYTES,
      });
      const write = (to: Writable, recipients?: readonly string[]): Promise<void> =>
        writeStream(parts, to, { recipients, signal });
      if (file === undefined) await write(target as Writable, encryption === 'off' ? undefined : encryption.recipients);
      else {
        // Reading the file back needs a private key, and we don't have the recipients'. This one only exists during
        // this call.
        const checking = encryption === 'off' ? undefined : await makeKey();
        const recipients =
          encryption === 'off' || !checking ? undefined : [...encryption.recipients, checking.recipient];
        await writeFileWhole(
          file,
          (to) => write(to, recipients),
          async (temporary) => {
            say('reading it back …');
            const written = await openInput(temporary, checking ? [checking.identity] : []);
            await readBackup(written).finally(() => written.close());
          },
        );
        if (file.endsWith(name)) {
          // The backup is good even if its figures can't be written.
          await recordBackup(dirname(file), file, madeAt).catch((error: unknown) =>
            say(`the figures for monitoring were not written: ${String(error)}`),
          );
        }
        if (keep !== undefined && file.endsWith(name))
          for (const old of await prune(dirname(file), keep)) say(`removed ${old}`);
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

/** A manifest that is filled in while the parts are written. */
type GrowingManifest = Omit<Manifest, 'collections' | 'accounts'> & {
  readonly collections: CollectionEntry[];
  readonly accounts: Manifest['accounts'][number][];
};

function emptyManifest(
  { version, embedded }: Database,
  { time }: PointInTime,
  madeAt: Date,
  databases: readonly string[],
): GrowingManifest {
  return {
    format: 1,
    madeAt: madeAt.toISOString(),
    madeBy: MADE_BY,
    server: { version, embedded },
    pointInTime: { seconds: time.getHighBits() >>> 0, increment: time.getLowBits() >>> 0 },
    databases,
    collections: [],
    accounts: [],
  };
}

async function* partsOf(
  moment: PointInTime,
  accounts: readonly AccountsFile[],
  manifest: GrowingManifest,
  say: (text: string) => void,
): AsyncGenerator<Buffer> {
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
