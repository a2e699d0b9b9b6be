import type { PharmacyAction } from '../contract/actions.ts';

/** One entry of a record's history, without what the request adds (who, when, request id). */
export interface HistoryEntry {
  readonly record: { readonly type: 'medicine' | 'order' | 'stock request'; readonly id: string };
  /** E-mails of the people it can be found by. */
  readonly concerns?: readonly string[];
  /** Accounts whose lists show the record; staff see all lists. */
  readonly accounts?: readonly string[];
  /** What happened, in the user's words, e.g. `restocked`. */
  readonly action: PharmacyAction;
  /** The old values of the changed fields; `null` if the record is new. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
}
