import type { Server } from 'node:http';
import type { Tracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import type { Health, Metrics } from './metrics.ts';
import type { ServerOptions } from './server/server.ts';
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
}

export interface Gateway {
  readonly server: Server;
  readonly metrics: Metrics;
  health(): Health;
  /** Polls services, shell and remotes now; otherwise they are polled every two seconds. */
  poll(): Promise<void>;
  /** Reports not ready, finishes requests in flight, and releases everything. */
  close(): Promise<void>;
}
