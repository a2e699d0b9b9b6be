import type { Health } from '../metrics.ts';
import type { MetricsOfWorker } from './merge-reports.ts';

/** What a worker tells of itself when it is asked. */
export interface Report {
  readonly metrics: MetricsOfWorker;
  readonly health: Health;
}

/** Who has which first segments. */
export type SegmentOwners = ReadonlyMap<string, string>;

/** From a worker to the primary. */
export type FromWorker =
  /** It hears from now on; sent before it listens. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'listening'; readonly url: string }
  /** A change of what a service has is about to be sent there. */
  | { readonly kind: 'change'; readonly change: number; readonly service: string }
  | { readonly kind: 'change over'; readonly change: number }
  /** It has dropped what a change elsewhere concerns. */
  | { readonly kind: 'heard'; readonly change: string }
  | { readonly kind: 'segments'; readonly owners: SegmentOwners }
  | { readonly kind: 'report'; readonly question: number; readonly report: Report };

/** From the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'change'; readonly change: string; readonly service: string }
  | { readonly kind: 'change over'; readonly change: string }
  /** All others have dropped what its change concerns. */
  | { readonly kind: 'all have heard'; readonly change: number }
  /** How the first worker has shared the segments out: all do as it does. */
  | { readonly kind: 'segments'; readonly owners: SegmentOwners }
  /** It is the first worker now. */
  | { readonly kind: 'lead' }
  | { readonly kind: 'report'; readonly question: number }
  | { readonly kind: 'stop' };
