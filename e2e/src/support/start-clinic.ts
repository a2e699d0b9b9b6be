import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Starts the application as the README says, `npm start`, on a free port with empty data of its own.
 * `CLINIC_URL` names a running one to use instead.
 */
export default async function startClinic(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['CLINIC_URL']) return undefined;
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-e2e-'));
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('The clinic is open')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  await ready;
  process.env['CLINIC_URL'] = `http://localhost:${port}`;
  process.env['CLINIC_DATA_DIR'] = dataDir;
  return async () => {
    const exited = once(child, 'exit');
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
