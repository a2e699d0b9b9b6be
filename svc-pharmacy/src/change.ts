import { clinicMoment } from '@clinic/contracts';
import type { PharmacyAction } from '@clinic/contracts/event-actions';
import { appendEvents, type Change as HistoryChange, type ContextFor } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { countOrder, type CountedOrder } from './reports/order-tallies.ts';
import type { settings } from './settings.ts';
import { storesOf, type Stores } from './stores.ts';

/** One entry of a record's history, without what the request adds (who, when, request id). */
export interface HistoryEntry {
  readonly record: { readonly type: 'medicine' | 'order'; readonly id: string };
  /** Emails of the people it can be found by. */
  readonly concerns?: readonly string[];
  /** Accounts whose lists show the record; staff see all lists. */
  readonly accounts?: readonly string[];
  /** What happened, in the user's words, e.g. `restocked`. */
  readonly action: PharmacyAction;
  /** The old values of the changed fields; `null` if the record is new. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Everything a change of the pharmacy's records needs; all its writes belong to one transaction. */
export interface Change {
  readonly stores: Stores;
  readonly session: ClientSession;
  readonly now: Date;
  /** The clinic's date, 'yyyy-mm-dd' in CLINIC_TZ: decides what has expired. */
  readonly today: string;
  /** Stock below this many units is low (LOW_STOCK_BELOW). */
  readonly lowStockBelow: number;
  /** Updates the report's rollups for a change of an order, in the same transaction; see `countOrder`. */
  readonly count: (before: CountedOrder | undefined, after: CountedOrder | undefined) => Promise<void>;
  /** Appends to the records' history, in the same transaction. */
  readonly record: (...entries: readonly HistoryEntry[]) => Promise<void>;
}

/**
 * The {@link Change} for a transaction.
 *
 * @param by - who makes it, with which request; for the history
 */
export function changeIn(
  context: Pick<ContextFor<typeof settings>, 'db' | 'settings'>,
  session: ClientSession,
  by: Pick<HistoryChange, 'call' | 'caller' | 'requestId'>,
): Change {
  const { CLINIC_TZ: timeZone, LOW_STOCK_BELOW: lowStockBelow } = context.settings;
  const now = new Date();
  const stores = storesOf(context.db);
  return {
    stores,
    session,
    now,
    lowStockBelow,
    today: clinicMoment(now, timeZone).date,
    count: (before, after) => countOrder(stores, before, after, { session, timeZone }),
    record: (...entries) =>
      appendEvents(
        context,
        session,
        entries.map((entry) => ({ ...by, ...entry })),
      ),
  };
}
