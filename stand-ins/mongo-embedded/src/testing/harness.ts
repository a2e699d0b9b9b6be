import { programEnv } from '@clinic/service-kit/testing/program-env';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Collection, Db, Document } from 'mongodb';
import { startServer } from '../server/server.ts';
import type { RunningServer } from '../server/server.ts';

/** A server inside the test's own process, with a client of the official driver. */
export interface TestServer {
  server: RunningServer;
  client: MongoClient;
  db: Db;
  /** A new collection for each test. */
  fresh(): Collection<Document>;
}

/** Starts a server on temporary data, for the tests of a file. */
export async function startTestServer(): Promise<TestServer> {
  const server = await startServer({ port: 0 });
  const client = new MongoClient(server.uri, { serverSelectionTimeoutMS: 5000 });
  const db = client.db('clinic');
  let count = 0;
  after(async () => {
    await client.close();
    await server.close();
  });
  return { server, client, db, fresh: () => db.collection(`c${count++}`) };
}

/** The server error of a failed call. @throws Error if it succeeds or fails differently */
export async function serverError(call: Promise<unknown>): Promise<MongoServerError> {
  let result: unknown;
  try {
    result = await call;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
  throw new Error(`expected a server error, got ${JSON.stringify(result)}`);
}

/** The server as a process that a test can kill. */
export interface ServerProcess {
  uri: string;
  pid: number;
  child: ChildProcess;
  /** Sends kill -9 and waits for the exit. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

const running = new Set<ChildProcess>();

/** Makes a folder for the tests of a file. At their end, kills processes that a failed one has left running. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mongo-embedded-test-'));
  after(async () => {
    await Promise.all(
      [...running].map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Starts `main.ts` with only these settings in its environment. */
export function spawnMain(env: Record<string, string>, ipc = false): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: programEnv(env),
    stdio: ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A process's output and exit code. */
export async function outcome(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...texts };
}

/** Starts the server process on a directory and waits until it listens. */
export async function startProcess(dataDir: string, port = 0): Promise<ServerProcess> {
  const child = spawnMain({ MONGO_EMBEDDED_PORT: String(port), MONGO_EMBEDDED_DATA_DIR: dataDir });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  if (!child.stdout) throw new Error('the server process has no output');
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(([code]): [string] => {
      throw new Error(`the server ended with ${code}: ${errors}`);
    }),
  ]);
  const { uri, pid } = JSON.parse(line[0]) as { uri: string; pid: number };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  return {
    uri,
    pid,
    child,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}
