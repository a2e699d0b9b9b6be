import type { Server } from 'node:http';

/** Starts listening. @throws Error if it can't, e.g. because the port is taken */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
