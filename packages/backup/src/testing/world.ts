import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startServer } from '@clinic/mongo-embedded';
import { MongoClient } from 'mongodb';
import { makeKey } from '../encryption.ts';
import type { Settings } from '../settings.ts';

/** The key used by all tests. */
export const key = await makeKey();
export const encryption = { recipients: [key.recipient] };
export const identities = [key.identity];

/** A test's databases and files, removed when it ends. */
export interface World {
  readonly folder: string;
  /** An empty database in this process. @param expireEveryMs - milliseconds between two purges of expired documents */
  server(expireEveryMs?: number): Promise<Server>;
  /** A database that can be killed. */
  process(dataDir: string): Promise<Server & { kill(): Promise<void> }>;
  close(): Promise<void>;
}

export interface Server {
  readonly client: MongoClient;
  readonly settings: Settings;
}

const engine = fileURLToPath(import.meta.resolve('@clinic/mongo-embedded/main'));

export function openWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-backup-test-'));
  const closing: (() => Promise<unknown>)[] = [];
  const connect = (uri: string): Server => {
    const client = new MongoClient(uri);
    closing.push(() => client.close());
    return { client, settings: { uri } };
  };
  return {
    folder,
    async server(expireEveryMs) {
      const server = await startServer({ port: 0, expireEveryMs });
      closing.push(() => server.close());
      return connect(server.uri);
    },
    async process(dataDir) {
      const child: ChildProcess = spawn(process.execPath, [engine], {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          MONGO_EMBEDDED_PORT: '0',
          MONGO_EMBEDDED_DATA_DIR: join(folder, dataDir),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (!child.stdout) throw new Error('the database has no output');
      const gone = once(child, 'exit');
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await gone;
      };
      closing.push(kill);
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      return { ...connect((JSON.parse(line) as { uri: string }).uri), kill };
    },
    async close() {
      for (const close of closing.toReversed()) await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The content of some databases: each collection's indexes, and its documents as raw bytes, sorted by `_id`. */
export async function contentOf(
  { client }: Pick<Server, 'client'>,
  databases: readonly string[],
): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const db of databases) {
    for (const { name, options } of (await client.db(db).listCollections().toArray()) as {
      name: string;
      options?: object;
    }[]) {
      const collection = client.db(db).collection(name);
      const documents = (await collection.find({}, { raw: true }).sort({ _id: 1 }).toArray()) as unknown as Buffer[];
      content[`${db}.${name}`] = {
        options,
        indexes: await collection.listIndexes().toArray(),
        documents: documents.map((bytes) => Buffer.from(bytes).toString('latin1')),
      };
    }
  }
  return content;
}

/** Runs the real command. */
export async function runMain(
  args: readonly string[],
  { settings }: Server,
  stdio: {
    readonly out?: number;
    readonly input?: Buffer;
    readonly limit?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<{ code: number | null; out: Buffer; log: string }> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    MONGODB_URI: settings.uri,
    ...(settings.accountsDir !== undefined && { ACCOUNTS_DIR: settings.accountsDir }),
    BACKUP_RECIPIENTS: key.recipient,
    BACKUP_IDENTITY: key.identity,
    ...stdio.env,
  };
  const [program, ...rest] =
    stdio.limit === undefined
      ? [process.execPath, main, ...args]
      : ['sh', '-c', `${stdio.limit}; exec "$@"`, 'sh', process.execPath, main, ...args];
  const child = spawn(program ?? '', rest, { env, stdio: ['pipe', stdio.out ?? 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  // A command that rejects its input closes it.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdio.input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: Buffer.concat(out), log };
}
