import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The server as a separate process. */
export interface ServerProcess {
  uri: string;
  stop(): Promise<void>;
}

/**
 * Starts the server on a free port and waits until it listens.
 * @param dataDir its data directory
 */
export async function startProcess(dataDir: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    env: { ...process.env, MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { uri } = JSON.parse(line) as { uri: string };
  return {
    uri,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
