import type { Server } from 'node:http';

/** Lets a server listen. @throws Error when it can't, e.g. where the port is taken */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
