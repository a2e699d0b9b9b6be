import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { gracefully } from '@clinic/graceful-server';

/** A listening HTTP server. */
export interface Listening {
  readonly url: string;
  /** Stops accepting connections, lets requests in flight finish, then closes the rest. */
  close(): Promise<void>;
}

/**
 * Request and response classes that already have Express's methods. Otherwise Express changes the prototype of every
 * object, which makes each later use slow: a fifth of Express's overhead.
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
 * Listens, with limits on slow clients.
 *
 * @param port - 0 for any free one
 * @throws Error if the port is in use
 */
export async function listen(app: Express, host: string, port: number): Promise<Listening> {
  const server = createServer(
    {
      ...classesFor(app),
      headersTimeout: 20_000,
      requestTimeout: 30_000,
      // Longer than the proxy in front keeps connections idle, so that we never close one it is about to reuse.
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
