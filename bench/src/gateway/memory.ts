import { connect, type Socket } from 'node:net';
import type { Program } from '../support/program.ts';
import type { Row } from '../support/results.ts';
import type { Starter } from './starter.ts';

/** The most that a gateway holds. */
const lines = 1000;

const megabytes = (bytes: number) => ({ value: bytes / 1024 / 1024, unit: 'MB' });

/** Memory of a gateway that nobody uses, and with as many open pages as it serves; each has a stream from the service. */
export async function memoryRows(starter: Starter, service: string, remote: string): Promise<Row[]> {
  const gateway = await starter.gateway(service, remote);
  const alone = gateway.memory();
  const sockets = await Promise.all(Array.from({ length: lines }, () => openLine(gateway)));
  const held = gateway.memory();
  for (const socket of sockets) socket.destroy();
  return [
    { what: 'memory, idle', ours: megabytes(alone) },
    { what: `memory with ${lines} live lines`, ours: megabytes(held) },
  ];
}

/** Opens a live line. Resolves when its streams are announced. */
function openLine({ url }: Program): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname);
    socket.write(`GET /live HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nCookie: signed_in=1\r\n\r\n`);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`The line was closed: ${text.slice(0, 200)}`)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (/event: live\n/.test(text)) resolve(socket);
    });
  });
}
