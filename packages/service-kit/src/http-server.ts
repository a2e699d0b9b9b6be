import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longest time for requests under way when a service stops, milliseconds. */
const finishWithin = 8_000;

/** Milliseconds between two looks for idle connections while stopping. */
const sweepEvery = 50;

/** An HTTP server that listens. */
export interface Listening {
  readonly url: string;
  /** Takes no more connections, lets requests under way finish, then cuts. */
  close(): Promise<void>;
}

/**
 * Listens with limits on how slow a client may be.
 *
 * @param port - 0 for any free one
 * @throws Error when the address is taken
 */
export async function listen(handle: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: 20_000,
      requestTimeout: 30_000,
      // Longer than a proxy in front keeps its connections, so that it is never us who close one it is about to use.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 5_000,
    },
    handle,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), finishWithin);
    // A connection whose answer began before the stop stays open for the next request: closed once it is idle.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}
