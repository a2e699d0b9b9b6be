import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { Breaker } from './breaker.ts';

/** Connections for ordinary requests; more than may be under way at once, so that none waits uncounted. */
const mostConnections = 256;

/** Milliseconds that a connection may take to come about. */
const connectWithin = 2_000;

/** Milliseconds that an idle connection is kept, when the server says nothing of it. */
const keepIdleFor = 30_000;

/** What a replica said when it was asked whether it is ready. */
export type Readiness = 'unknown' | 'ready' | 'not ready';

/** One of the equal servers behind a name, with connections of its own. */
export class Replica {
  /** For logs and metrics: address and, where the name has several, the one of them. */
  readonly name: string;
  readonly origin: string;
  /** Host and port, as a server behind expects to be asked for. */
  readonly host: string;
  readonly calls: Pool;
  /** Event streams hold their connections: they must not take those of the calls. */
  readonly streams: Pool;
  /** For questions of our own, which must not wait behind requests. */
  readonly control: Pool;
  readonly breaker = new Breaker();
  inFlight = 0;
  readiness: Readiness = 'unknown';
  /** Why it is not ready, as it said. */
  reason = '';
  /** What a ready front-end's server has to say to operators, e.g. that another release is pinned than was deployed. */
  note = '';

  /** @param ip - which of the addresses of the host name; `undefined` when the address is one already */
  constructor(url: string, ip?: string) {
    const { origin, host } = new URL(url);
    this.origin = origin;
    this.host = host;
    this.name = ip === undefined ? host : `${host} (${ip})`;
    // The name stays in the address, for certificates; only the answer to who that is is ours.
    const connect = { timeout: connectWithin, ...(ip !== undefined && { lookup: always(ip) }) };
    const common = { connect, pipelining: 1, keepAliveTimeout: keepIdleFor, headersTimeout: 0, bodyTimeout: 0 };
    this.calls = new Pool(origin, { ...common, connections: mostConnections });
    this.streams = new Pool(origin, { ...common, connections: null });
    this.control = new Pool(origin, { ...common, connections: 1 });
  }

  /** Lets what is under way finish, then closes the connections. */
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
