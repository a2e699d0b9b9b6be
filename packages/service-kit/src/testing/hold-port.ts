import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any: those can be taken between
 * the choice of a port and its use.
 */
const [least, most] = [20_000, 30_000];

/** Milliseconds of looking for a port: only a machine with none left needs them. */
const patience = 30_000;

/**
 * A free TCP port for a program whose address must be known before it listens. It is held until this process ends: the
 * UDP port of the same number is the lock, which every process that calls this respects, and the system releases it
 * however the process ends. Where the address may be learnt later, let the program listen on 0 instead.
 *
 * @param wanted - a port to prefer
 * @throws Error if there is no free port
 */
export async function holdPort(wanted?: number): Promise<number> {
  const until = performance.now() + patience;
  for (let port = wanted ?? anyPort(); performance.now() < until; port = anyPort()) if (await hold(port)) return port;
  throw new Error(`No port from ${least} to ${most} is free.`);
}

const anyPort = (): number => least + Math.floor(Math.random() * (most - least));

/** Whether a process holds the port, be it this one. */
export async function isHeld(port: number): Promise<boolean> {
  const lock = await take(port);
  lock?.close();
  return lock === undefined;
}

async function take(port: number): Promise<Socket | undefined> {
  const lock = createSocket('udp4');
  lock.unref().bind({ port, address: '127.0.0.1', exclusive: true });
  return (await succeeds(once(lock, 'listening'))) ? lock : undefined;
}

async function hold(port: number): Promise<boolean> {
  const lock = await take(port);
  if (!lock) return false;
  // On all addresses.
  const probe = createServer().listen({ port, exclusive: true });
  const isFree = await succeeds(once(probe, 'listening'));
  if (isFree) await new Promise((resolve) => probe.close(resolve));
  else lock.close();
  return isFree;
}

async function succeeds(bound: Promise<unknown>): Promise<boolean> {
  try {
    await bound;
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}
