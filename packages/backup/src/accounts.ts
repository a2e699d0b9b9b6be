import { open, readdir, readFile, rename, rm, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './errors.ts';
import { LARGEST_FRAME } from './frames.ts';

/** One of the Auth emulator's account files; there is one per project. */
export interface AccountsFile {
  readonly name: string;
  readonly content: Buffer;
}

const projectFile = /^[a-z][a-z0-9-]{3,28}[a-z0-9]\.json$/;

/**
 * Reads the accounts. The emulator replaces its file atomically, so each file is consistent. Read after the databases'
 * point in time, so that the accounts they refer to are all there.
 *
 * @throws BackupError if the folder can't be read, or contains something the emulator didn't write
 */
export async function readAccounts(folder: string): Promise<AccountsFile[]> {
  const names = await namesIn(folder);
  return Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      if (usersIn(content) === undefined)
        throw new BackupError(
          `${join(folder, name)} is not an account file: ACCOUNTS_DIR must be the Auth emulator's data folder, for example ACCOUNTS_DIR=.data/auth`,
        );
      if (content.length > LARGEST_FRAME - name.length - 2)
        throw new BackupError(
          `${join(folder, name)} has ${content.length} bytes, more than the ${LARGEST_FRAME} that fit into a backup`,
        );
      return { name, content };
    }),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => projectFile.test(name)).toSorted();
  } catch (error) {
    throw new BackupError(
      `ACCOUNTS_DIR is wrong: ${folder} can't be read (${(error as NodeJS.ErrnoException).code}); it must be the Auth emulator's data folder, for example ACCOUNTS_DIR=.data/auth`,
      { cause: error },
    );
  }
}

/** Number of accounts in a file; `undefined` if it isn't an account file. */
function usersIn(content: Buffer): number | undefined {
  try {
    const { users } = JSON.parse(content.toString('utf8')) as { users?: unknown };
    return Array.isArray(users) ? users.length : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The files among these that already exist and contain accounts. */
export async function occupied(folder: string, names: readonly string[]): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await readAccounts(folder);
  return there.filter(({ name, content }) => names.includes(name) && usersIn(content) !== 0).map(({ name }) => name);
}

/** Writes an account file atomically, readable by its owner only. */
export async function writeAccounts(folder: string, { name, content }: AccountsFile): Promise<void> {
  if (!projectFile.test(name))
    throw new BackupError(
      `the backup has accounts under the name ${JSON.stringify(name)}, which the Auth emulator never uses`,
    );
  const temporary = join(folder, `.${name}.partial`);
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, join(folder, name));
}
