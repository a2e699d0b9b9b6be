import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { Breaker } from './breaker.ts';

/** Connections for ordinary requests: more than the limit of requests in flight, so that none waits unmeasured. */
const mostConnections = 256;

/** Connect timeout, in milliseconds. */
const connectWithin = 2_000;

/** Keep-alive time of an idle connection, in milliseconds, unless the server sets one. */
const keepIdleFor = 30_000;

/** Result of a replica's last readiness check. */
export type Readiness = 'unknown' | 'ready' | 'not ready';

/** One of the interchangeable servers behind a name, with its own connections. */
export class Replica {
  /** For logs and metrics: host and port, and the IP address if it was resolved from a name. */
  readonly name: string;
  readonly origin: string;
  /** Host and port, as the upstream expects them. */
  readonly host: string;
  readonly calls: Pool;
  /** Event streams hold on to their connections, so they don't share those of the calls. */
  readonly streams: Pool;
  /** For the gateway's own requests, which must not queue behind others. */
  readonly control: Pool;
  readonly breaker = new Breaker();
  inFlight = 0;
  readiness: Readiness = 'unknown';
  /** Why it isn't ready. */
  reason = '';
  /** A ready front-end server's note to operators, e.g. that a release other than the deployed one is pinned. */
  note = '';

  /** @param ip - the host name's IP address to use; `undefined` if the URL already has an IP address */
  constructor(url: string, ip?: string) {
    const { origin, host } = new URL(url);
    this.origin = origin;
    this.host = host;
    this.name = ip === undefined ? host : `${host} (${ip})`;
    // Keep the name in the URL, for certificates; only its resolution is overridden.
    const connect = { timeout: connectWithin, ...(ip !== undefined && { lookup: always(ip) }) };
    const common = { connect, pipelining: 1, keepAliveTimeout: keepIdleFor, headersTimeout: 0, bodyTimeout: 0 };
    this.calls = new Pool(origin, { ...common, connections: mostConnections });
    this.streams = new Pool(origin, { ...common, connections: null });
    this.control = new Pool(origin, { ...common, connections: 1 });
  }

  /** Lets requests in flight finish, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all([this.calls.close(), this.streams.close(), this.control.destroy()]);
  }

  async destroy(): Promise<void> {
    await Promise.all([this.calls.destroy(), this.streams.destroy(), this.control.destroy()]);
  }
}

function always(ip: string): LookupFunction {
  const family = ip.includes(':') ? 6 : 4;
  return (_host, options, found) => {
    if (options.all) found(null, [{ address: ip, family }]);
    else found(null, ip, family);
  };
}
