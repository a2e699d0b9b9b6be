import type { Server } from 'node:http';
import type { Tracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import type { Peers } from './cluster/peers.ts';
import type { Health, Metrics, ScrapeTargets } from './metrics.ts';
import type { ServerOptions } from './proxy/server.ts';
import type { Resolve } from './replicas/resolve.ts';
import type { GatewaySettings } from './settings.ts';

export interface GatewayOptions extends Pick<ServerOptions, 'headWithinMs' | 'requestWithinMs'> {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** Milliseconds between polls of shell and remotes; services are polled twice as often. */
  readonly pollEveryMs?: number;
  /** Default time, in milliseconds, within which a service must start its response. */
  readonly answerWithinMs?: number;
  readonly resolve?: Resolve;
  /** Sends a trace of each request to a collector; none if tracing is off. */
  readonly tracing?: Tracing | undefined;
  /** The other workers, if this process is one of `settings.WORKERS`. */
  readonly peers?: Peers | undefined;
}

export interface Gateway {
  readonly server: Server;
  readonly metrics: Metrics;
  health(): Health;
  /** Where the services' replicas have their metrics. */
  readonly targets: () => readonly ScrapeTargets[];
  /** Polls services, shell and remotes now; otherwise they are polled every two seconds. */
  poll(): Promise<void>;
  /** Reports not ready, finishes requests in flight, and releases everything. */
  close(): Promise<void>;
}
