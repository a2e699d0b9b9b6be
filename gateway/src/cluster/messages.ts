import type { Health } from '../metrics.ts';
import type { MetricsOfWorker } from './merge-reports.ts';

/** A worker's metrics and health, sent on request. */
export interface Report {
  readonly metrics: MetricsOfWorker;
  readonly health: Health;
}

/** Owners of first path segments. */
export type SegmentOwners = ReadonlyMap<string, string>;

/** From a worker to the primary. */
export type FromWorker =
  /** The worker handles messages from now on; sent before it listens. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'listening'; readonly url: string }
  /** A request that changes a service's data is about to be forwarded. */
  | { readonly kind: 'change'; readonly change: number; readonly service: string }
  | { readonly kind: 'change over'; readonly change: number }
  /** The worker has dropped the lists that another worker's change affects. */
  | { readonly kind: 'acknowledged'; readonly change: string }
  | { readonly kind: 'segments'; readonly owners: SegmentOwners }
  | { readonly kind: 'report'; readonly request: number; readonly report: Report };

/** From the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'change'; readonly change: string; readonly service: string }
  | { readonly kind: 'change over'; readonly change: string }
  /** All other workers have dropped the lists that its change affects. */
  | { readonly kind: 'all acknowledged'; readonly change: number }
  /** The lead worker's segment assignments, which all others follow. */
  | { readonly kind: 'segments'; readonly owners: SegmentOwners }
  /** The worker is the lead now. */
  | { readonly kind: 'lead' }
  | { readonly kind: 'report'; readonly request: number }
  | { readonly kind: 'stop' };
