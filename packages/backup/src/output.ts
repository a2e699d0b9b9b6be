import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { encryptedTo } from './encryption.ts';
import { envelope } from './envelope.ts';
import { BackupError } from './errors.ts';

const OWNER_ONLY = { file: 0o600, folder: 0o700 };
/** The default of zstd's command line: higher levels make files little smaller and backups slow. */
const COMPRESSION = 3;

/**
 * Compresses the parts of a backup into a stream, with back-pressure.
 *
 * @param recipients recipients to encrypt to; if left out, it isn't encrypted
 */
export async function writeStream(
  frames: Readable,
  target: Writable,
  {
    recipients,
    signal,
  }: { readonly recipients?: readonly string[] | undefined; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION } });
  if (recipients === undefined) await pipeline(frames, compress, envelope(), target, { signal });
  else await pipeline(frames, compress, envelope(), encryptedTo(recipients), target, { signal });
}

/** The disk is full, or a quota or file size limit is reached. */
const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const namePattern = /^clinic-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup(?:\.age)?$/;

/** File name of a backup in a folder; sorting by name sorts by time. */
export function fileName(time: Date, encrypted: boolean): string {
  return `clinic-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup${encrypted ? '.age' : ''}`;
}

/** Path of the backup file: the target itself, or a file named `name` if the target is a folder. */
export async function targetFile(target: string, name: string): Promise<string> {
  const path = resolve(target);
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new BackupError(`${target} can't be used (${error.code})`, { cause: error });
  });
  if (there?.isDirectory() || target.endsWith('/')) return join(path, name);
  if (there && !there.isFile()) throw new BackupError(`${target} isn't a file or a folder. Use - for standard output`);
  return path;
}

/**
 * Writes a file, and gives it its final name only once it is complete, synced to disk, and approved.
 *
 * @param write writes it; if it throws, nothing is left behind
 * @param approve checks the written file before it gets its name
 */
export async function writeFileWhole(
  path: string,
  write: (target: Writable) => Promise<void>,
  approve: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.partial`;
  try {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
    const handle = await open(temporary, 'wx', OWNER_ONLY.file);
    try {
      await write(into(handle));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await approve(temporary);
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && noSpace.has(code))
      throw new BackupError(`there's no space left for ${path}: it wasn't kept, and older backups are untouched`, {
        cause: error,
      });
    if (code === 'EACCES' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EPERM')
      throw new BackupError(`${path} can't be written (${code})`, { cause: error });
    throw error;
  }
}

/** Passes a promise's outcome to a Node callback. */
async function settle(work: Promise<unknown>, done: (error?: Error) => void): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  done(error);
}

/** A stream into a file handle, which it leaves open. */
function into(handle: FileHandle): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      void settle(handle.writeFile(chunk), done);
    },
  });
}

/** Writes a secret to a new file. @throws BackupError if the file exists */
export async function writeNewSecret(path: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(resolve(path)), { recursive: true, mode: OWNER_ONLY.folder });
    const handle = await open(path, 'wx', OWNER_ONLY.file);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(
      code === 'EEXIST'
        ? `${path} already exists, and backups may need it. Choose another name`
        : `${path} can't be written (${code})`,
      { cause: error },
    );
  }
}

/** Without this, a power failure can undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  // Windows can't open folders.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const partialPattern = /^clinic-[\dTZ-]+\.backup(?:\.age)?\.\d+\.partial$/;
const DAY_MS = 86_400_000;

/**
 * Removes the oldest backups in a folder, and partial files that killed backups left more than a day ago.
 *
 * @param keep number of backups to keep
 * @returns names of the removed files
 */
export async function prune(folder: string, keep: number): Promise<string[]> {
  const old = (await readdir(folder))
    .filter((name) => namePattern.test(name))
    .toSorted()
    .slice(0, -keep);
  for (const name of (await readdir(folder)).filter((each) => partialPattern.test(each))) {
    if ((await stat(join(folder, name))).mtimeMs < Date.now() - DAY_MS) old.push(name);
  }
  for (const name of old) await rm(join(folder, name));
  return old;
}
