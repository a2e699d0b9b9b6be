import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { gracefully } from '@clinic/graceful-server';

/** An HTTP server that listens. */
export interface Listening {
  readonly url: string;
  /** Takes no more connections, lets requests under way finish, then cuts. */
  close(): Promise<void>;
}

/**
 * Requests and answers that have Express's methods from birth. It would give each of them another prototype instead, after
 * which every use of it is slow: a fifth of what Express costs.
 */
function classesFor(app: Express) {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ServiceRequest.prototype, app.request);
  Object.setPrototypeOf(ServiceResponse.prototype, app.response);
  Object.assign(app, { request: ServiceRequest.prototype, response: ServiceResponse.prototype });
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}

/**
 * Listens with limits on how slow a client may be.
 *
 * @param port - 0 for any free one
 * @throws Error when the address is taken
 */
export async function listen(app: Express, host: string, port: number): Promise<Listening> {
  const server = createServer(
    {
      ...classesFor(app),
      headersTimeout: 20_000,
      requestTimeout: 30_000,
      // Longer than a proxy in front keeps its connections, so that it is never us who close one it is about to use.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 5_000,
    },
    app,
  );
  const close = gracefully(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, close };
}
