import type { Tracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import type { Metrics } from './operators/metrics.ts';
import type { SegmentClaims } from './registry/segment-claims.ts';
import type { Remembered } from './remembered.ts';
import type { GatewaySettings } from './settings.ts';

export interface GatewayOptions {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** Sends a trace of each request to a collector; none if tracing is off. */
  readonly tracing?: Tracing | undefined;
  /** Resolves a host name to IP addresses; default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Milliseconds between polls of shell and remotes, default 2000; services and replicas are polled twice as often. */
  readonly pollEveryMs?: number;
  /** Default time, in milliseconds, within which a service must start its response. */
  readonly answerWithinMs?: number;
  /** Milliseconds that visitors wait for a page as HTML, before they get it without; default 300. */
  readonly htmlWithinMs?: number;
  /** Milliseconds allowed for the headers of a request to arrive, and for all of it. */
  readonly headWithinMs?: number;
  readonly requestWithinMs?: number;
  /** Milliseconds that a client may leave a response unread. */
  readonly readWithinMs?: number;
}

/** What all parts of a gateway share. */
export interface Context extends GatewayOptions {
  readonly pollEveryMs: number;
  readonly answerWithinMs: number;
  readonly htmlWithinMs: number;
  readonly metrics: Metrics;
  readonly remembered: Remembered;
  /** Polls and streams end with it, and responses close their connections. */
  readonly ended: AbortSignal;
  /** Who owns which first segments: the gateway itself, pages, services. */
  readonly claims: SegmentClaims;
}
