import { Breaker } from './breaker.ts';
import { openConnections, type Connections } from './connections.ts';

/** Connections for ordinary requests: more than the limit of requests in flight, so that none waits unmeasured. */
const maxConnections = 256;

/** Result of a replica's last readiness check. */
export type Readiness = 'unknown' | 'ready' | 'not ready';

/** Where requests to a replica go. */
export interface ReplicaTarget {
  readonly protocol: string;
  /** A name or an IP address, without brackets. */
  readonly hostname: string;
  /** Empty for the protocol's default. */
  readonly port: string;
}

/** One of the interchangeable servers behind a name, with its own connections. */
export class Replica {
  /** For logs and metrics: host and port, and the IP address if it was resolved from a name. */
  readonly name: string;
  /** Host and port, as the upstream expects them. */
  readonly host: string;
  readonly target: ReplicaTarget;
  readonly calls: Connections;
  /** Event streams hold on to their connections, so they don't share those of the calls. */
  readonly streams: Connections;
  /** For the gateway's own requests, which must not queue behind others. */
  readonly control: Connections;
  readonly breaker = new Breaker();
  inFlight = 0;
  readiness: Readiness = 'unknown';
  /** Why it isn't ready. */
  reason = '';

  /** @param ip - the host name's IP address to use; `undefined` if the URL already has an IP address */
  constructor(url: string, ip?: string) {
    const { protocol, hostname, host, port } = new URL(url);
    this.host = host;
    this.name = ip === undefined ? host : `${host} (${ip})`;
    this.target = { protocol, hostname: hostname.replaceAll(/[[\]]/g, ''), port };
    this.calls = openConnections(this.target, ip, maxConnections);
    this.streams = openConnections(this.target, ip, Infinity);
    this.control = openConnections(this.target, ip, 1);
  }

  /** Closes each connection once its request is done. */
  close(): void {
    for (const connections of [this.calls, this.streams]) {
      connections.maxFreeSockets = 0;
      for (const socket of Object.values(connections.freeSockets).flat()) socket?.destroy();
    }
    this.control.destroy();
  }

  /** Drops all connections. */
  destroy(): void {
    for (const connections of [this.calls, this.streams, this.control]) connections.destroy();
  }
}
