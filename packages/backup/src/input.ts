import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { ageBeginning, decrypted } from './encryption.ts';
import { BackupError } from './errors.ts';
import { endMark, firstLine, trailerBytes } from './envelope.ts';
import { readFrames, type Frame } from './frames.ts';

/** A backup that can be read several times. */
export interface Input {
  /** Name for messages. */
  readonly name: string;
  readonly size: number;
  readonly handle: FileHandle;
  /** Identities to decrypt it with, if it is encrypted. */
  readonly identities: readonly string[];
  close(): Promise<void>;
}

const OWNER_ONLY = 0o600;

/**
 * Opens a backup. A stream is spooled to an unlinked file first, because the whole backup is verified before any of it
 * is used. That file takes as much space in `TMPDIR` as the backup.
 *
 * @param source a path, or a stream
 * @param identities age identities for an encrypted backup; it is decrypted each time it is read, never to disk
 * @throws BackupError if it can't be read
 */
export async function openInput(source: string | Readable, identities: readonly string[] = []): Promise<Input> {
  const name = typeof source === 'string' ? source : 'standard input';
  const handle = typeof source === 'string' ? await openFile(source) : await spool(source);
  const { size } = await handle.stat();
  return { name, size, handle, identities, close: () => handle.close() };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw new BackupError(
      `${path} can't be read (${(error as NodeJS.ErrnoException).code}): name the file of a backup, or - for standard input`,
      { cause: error },
    );
  }
  throw new BackupError(`${path} is not a file: name the file of a backup, or - for standard input`);
}

async function spool(source: Readable): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-restore-'));
  let handle: FileHandle | undefined;
  try {
    handle = await open(join(folder, 'backup'), 'wx+', OWNER_ONLY);
    // Unlinked, so that it disappears with this process, however that ends.
    await rm(folder, { recursive: true });
    for await (const chunk of source) await handle.write(chunk as Buffer);
    return handle;
  } catch (error) {
    await handle?.close();
    await rm(folder, { recursive: true, force: true });
    throw new BackupError(
      `standard input can't be kept in ${tmpdir()} (${(error as Error).message}): set TMPDIR to a folder with enough space for the backup`,
      { cause: error },
    );
  }
}

/** Other files that people mistake for a backup, by their first bytes. */
const others: readonly (readonly [Buffer, string])[] = [
  [
    Buffer.from('-----BEGIN AGE'),
    'it is encrypted with age in text format: decrypt it first, age -d -i KEY FILE | … restore -',
  ],
  [Buffer.from('-----BEGIN PGP'), 'it is encrypted with gpg: decrypt it first, gpg -d FILE | … restore -'],
  [Buffer.from([0x6d, 0xe2, 0x99, 0x81]), 'it is a mongodump archive: restore it with mongorestore --archive'],
  [Buffer.from([0x1f, 0x8b]), 'it is compressed with gzip; backups of the clinic are not'],
  [Buffer.from('SQLite format 3'), "it is the embedded database's own data file"],
  [Buffer.from('CLINIC-BACKUP '), 'it is a backup in the format of a newer version of this program'],
];

/**
 * Checks that a file is a complete, unchanged backup.
 *
 * @throws BackupError that says what it is otherwise
 */
export async function checkEnvelope(input: Input): Promise<void> {
  const { name, size } = input;
  if (size === 0) throw new BackupError(`${name} is empty`);
  const head = await headOf(input, firstLine.length + LONGEST_HINT);
  if (!head.subarray(0, firstLine.length).equals(firstLine)) {
    if (head.length > 0 && firstLine.subarray(0, head.length).equals(head)) throw new BackupError(cutOff(name, size));
    const hint = others.find(([beginning]) => head.subarray(0, beginning.length).equals(beginning))?.[1];
    throw new BackupError(`${name} isn't a backup of the clinic${hint ? `: ${hint}` : ''}`);
  }
  const sum = createHash('sha256');
  let trailer: Buffer = Buffer.alloc(0);
  for await (const piece of allButLast(contentOf(input), trailerBytes, (last) => (trailer = last))) sum.update(piece);
  if (trailer.length < trailerBytes || !trailer.subarray(-endMark.length).equals(endMark))
    throw new BackupError(cutOff(name, size));
  if (!sum.digest().equals(trailer.subarray(0, trailerBytes - endMark.length))) {
    throw new BackupError(
      `${name} has changed since it was made, or its disk is failing: its checksum doesn't match. Nothing from it was used. Use another backup`,
    );
  }
}

const LONGEST_HINT = 32;

function cutOff(name: string, size: number): string {
  return `${name} is cut off: it has ${size.toLocaleString('en')} bytes and lacks the mark at the end of every complete backup (a full disk, or a broken transfer?). Nothing from it was used. Use another backup`;
}

const PIECE_BYTES = 256 * 1024;

/** Reads the bytes of a file. The handle's own streams would close it, and we read it several times. */
async function* bytesOf({ handle, size }: Input): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const piece = await readAt(handle, at, Math.min(PIECE_BYTES, size - at));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Reads the backup, decrypted if necessary. @throws BackupError if no identity can decrypt it */
async function* contentOf(input: Input): AsyncGenerator<Buffer> {
  const { name, handle, identities } = input;
  const encrypted = (await readAt(handle, 0, ageBeginning.length)).equals(ageBeginning);
  if (encrypted && identities.length === 0) {
    throw new BackupError(
      `${name} is encrypted: BACKUP_IDENTITY_FILE must name the file with the identity that decrypts it, for example BACKUP_IDENTITY_FILE=backup-identity.txt`,
    );
  }
  yield* encrypted ? decrypted(bytesOf(input), identities, name) : bytesOf(input);
}

async function headOf(input: Input, length: number): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  for await (const piece of contentOf(input)) {
    head = Buffer.concat([head, piece]).subarray(0, length);
    if (head.length === length) break;
  }
  return head;
}

/** Passes on everything but the last `count` bytes, which it hands to `keep` at the end. */
async function* allButLast(
  source: AsyncIterable<Buffer>,
  count: number,
  keep: (last: Buffer) => void,
): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    const all = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
    const end = Math.max(0, all.length - count);
    waiting = Buffer.from(all.subarray(end));
    if (end > 0) yield all.subarray(0, end);
  }
  keep(waiting);
}

async function* withoutFirst(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of source) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** Reads the parts of a backup. Its envelope must have been checked. */
export async function* framesOf(input: Input): AsyncGenerator<Frame> {
  const { name } = input;
  const stream = Readable.from(
    allButLast(withoutFirst(contentOf(input), firstLine.length), trailerBytes, () => undefined),
    { objectMode: false },
  );
  const decompress = createZstdDecompress();
  stream.on('error', (error) => decompress.destroy(error));
  try {
    yield* readFrames(stream.pipe(decompress));
  } catch (error) {
    if (error instanceof BackupError)
      throw new BackupError(error.message.startsWith(name) ? error.message : `${name}: ${error.message}`, {
        cause: error,
      });
    throw new BackupError(`${name} can't be read: ${(error as Error).message}`, { cause: error });
  } finally {
    stream.destroy();
    decompress.destroy();
  }
}
