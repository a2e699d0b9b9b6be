import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { BackupError } from './errors.ts';
import { endMark, firstLine, trailerBytes } from './envelope.ts';
import { readFrames, type Frame } from './frames.ts';

/** A backup that can be read as often as it takes. */
export interface Input {
  /** As messages call it. */
  readonly name: string;
  readonly size: number;
  readonly handle: FileHandle;
  close(): Promise<void>;
}

const OWNER_ONLY = 0o600;

/**
 * Opens a backup. One from a stream is kept in a file without a name meanwhile: it is to be looked at as a whole before any
 * of it is used. That file needs as much space in `TMPDIR` as the backup has.
 *
 * @param source a path, or a stream
 * @throws BackupError when it can't be read
 */
export async function openInput(source: string | Readable): Promise<Input> {
  const name = typeof source === 'string' ? source : 'standard input';
  const handle = typeof source === 'string' ? await openFile(source) : await spool(source);
  const { size } = await handle.stat();
  return { name, size, handle, close: () => handle.close() };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw new BackupError(`${path} can't be read (${(error as NodeJS.ErrnoException).code}): name the file of a backup, or - for standard input`, { cause: error });
  }
  throw new BackupError(`${path} is no file: name the file of a backup, or - for standard input`);
}

async function spool(source: Readable): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-restore-'));
  let handle: FileHandle | undefined;
  try {
    handle = await open(join(folder, 'backup'), 'wx+', OWNER_ONLY);
    // Gone with this process, however that ends: what was encrypted stays nowhere in clear.
    await rm(folder, { recursive: true });
    for await (const chunk of source) await handle.write(chunk as Buffer);
    return handle;
  } catch (error) {
    await handle?.close();
    await rm(folder, { recursive: true, force: true });
    throw new BackupError(`standard input can't be kept in ${tmpdir()} (${(error as Error).message}): set TMPDIR to a folder with as much space as the backup has`, { cause: error });
  }
}

/** What people take for a backup, by how it begins. */
const others: readonly (readonly [Buffer, string])[] = [
  [Buffer.from('age-encryption.org/'), 'it is encrypted with age: decrypt it first, age -d -i KEY FILE | … restore -'],
  [Buffer.from('-----BEGIN AGE'), 'it is encrypted with age: decrypt it first, age -d -i KEY FILE | … restore -'],
  [Buffer.from('-----BEGIN PGP'), 'it is encrypted with gpg: decrypt it first, gpg -d FILE | … restore -'],
  [Buffer.from([0x6d, 0xe2, 0x99, 0x81]), 'it is an archive of mongodump: restore it with mongorestore --archive'],
  [Buffer.from([0x1f, 0x8b]), 'it is compressed with gzip; backups of the clinic are not'],
  [Buffer.from('SQLite format 3'), 'it is the data file of the embedded database itself'],
  [Buffer.from('CLINIC-BACKUP '), 'it is a backup in a format of a newer version of this program'],
];

/**
 * Looks whether a file is a whole, unchanged backup.
 *
 * @throws BackupError that says what it is instead
 */
export async function checkEnvelope({ name, size, handle }: Input): Promise<void> {
  const head = await readAt(handle, 0, Math.min(size, firstLine.length + LONGEST_HINT));
  if (size === 0) throw new BackupError(`${name} is empty`);
  if (!head.subarray(0, firstLine.length).equals(firstLine)) {
    if (firstLine.subarray(0, size).equals(head)) throw new BackupError(cutOff(name, size));
    const hint = others.find(([beginning]) => head.subarray(0, beginning.length).equals(beginning))?.[1];
    throw new BackupError(`${name} is no backup of the clinic${hint ? `: ${hint}` : ''}`);
  }
  if (size < firstLine.length + trailerBytes) throw new BackupError(cutOff(name, size));
  const trailer = await readAt(handle, size - trailerBytes, trailerBytes);
  if (!trailer.subarray(-endMark.length).equals(endMark)) throw new BackupError(cutOff(name, size));
  const sum = createHash('sha256');
  for await (const piece of pieces(handle, 0, size - trailerBytes)) sum.update(piece);
  if (!sum.digest().equals(trailer.subarray(0, trailerBytes - endMark.length))) {
    throw new BackupError(`${name} was changed since it was made, or its disk is failing: its checksum is another. Nothing of it is used; take another backup`);
  }
}

const LONGEST_HINT = 32;

function cutOff(name: string, size: number): string {
  return `${name} is cut off: it has ${size.toLocaleString('en')} bytes and not the mark that every whole backup ends with (a full disk, or a broken transfer?). Nothing of it is used; take another backup`;
}

const PIECE_BYTES = 256 * 1024;

/** What lies between two positions. The handle's own streams would close it, and it is read several times. */
async function* pieces(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const piece = await readAt(handle, at, Math.min(PIECE_BYTES, to - at));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The parts of a backup, whose envelope must have been looked at. */
export async function* framesOf({ handle, size, name }: Input): AsyncGenerator<Frame> {
  const stream = Readable.from(pieces(handle, firstLine.length, size - trailerBytes), { objectMode: false });
  const decompress = createZstdDecompress();
  stream.on('error', (error) => decompress.destroy(error));
  try {
    yield* readFrames(stream.pipe(decompress));
  } catch (error) {
    if (error instanceof BackupError) throw new BackupError(`${name}: ${error.message}`, { cause: error });
    throw new BackupError(`${name} can't be read: ${(error as Error).message}`, { cause: error });
  } finally {
    stream.destroy();
    decompress.destroy();
  }
}
