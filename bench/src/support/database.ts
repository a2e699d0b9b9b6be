import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs } from './program.ts';

const program = path.join(import.meta.dirname, '..', '..', '..', 'stand-ins', 'mongo-embedded', 'src', 'main.ts');

/** The embedded database in its own process, as `npm start` runs it. */
export interface Database {
  readonly uri: string;
  readonly stop: () => Promise<void>;
}

/** Starts it on a free port. @param folder for its data */
export async function startDatabase(folder: string): Promise<Database> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_ENV: 'development', MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: folder },
    // With an IPC channel it stops when this process exits.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  endWithUs(child);
  if (!child.stdout) throw new Error('The database has no output');
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The database ended with ${String(code)}`)),
  );
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  const { uri } = JSON.parse(line) as { uri: string };
  return {
    uri,
    async stop() {
      child.kill('SIGTERM');
      // Its exit code doesn't matter any more.
      await ended.catch(() => undefined);
    },
  };
}
