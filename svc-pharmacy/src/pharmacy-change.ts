import { clinicMoment } from '@clinic/contracts';
import {
  actorOf,
  appendEvents,
  appendOutbox,
  partOf,
  type HistoryChange,
  type ServiceRequest,
} from '@clinic/service-kit';
import type { NewOutboxEntry } from '@clinic/contracts/outbox/entries';
import type { ClientSession } from 'mongodb';
import type { HistoryEntry } from './history/history-entry.ts';
import { movementRecords, type NewMovement } from './medicines/movement-record.ts';
import { countOrder, type CountedOrder } from './reports/order-rollups.ts';
import type { PharmacyContext } from './settings.ts';
import { collectionsOf, type PharmacyCollections } from './collections.ts';

/** Context of a change of the pharmacy's records; all its writes belong to one transaction. */
export interface PharmacyChange {
  readonly collections: PharmacyCollections;
  readonly session: ClientSession;
  readonly now: Date;
  /** The clinic's date, 'yyyy-mm-dd' in CLINIC_TZ: decides what has expired. */
  readonly today: string;
  /** Stock below this many units is low (LOW_STOCK_BELOW). */
  readonly lowStockBelow: number;
  /** Sign of the clinic's currency (CURRENCY), for messages; absent in a demo. */
  readonly currency?: string | undefined;
  /** Updates the report's rollups for a change of an order, in the same transaction; see `countOrder`. */
  readonly count: (before: CountedOrder | undefined, after: CountedOrder | undefined) => Promise<void>;
  /** Appends to the records' history, in the same transaction. */
  readonly record: (...entries: readonly HistoryEntry[]) => Promise<void>;
  /** Writes movements of stock, in the same transaction. */
  readonly move: (...movements: readonly NewMovement[]) => Promise<void>;
  /** Queues messages for svc-messages to send, in the same transaction. */
  readonly send: (...messages: readonly NewOutboxEntry[]) => Promise<void>;
}

/**
 * The {@link PharmacyChange} for a transaction.
 *
 * @param by - its caller and request, for the history
 */
export function changeIn(
  context: Pick<PharmacyContext, 'db' | 'settings'>,
  session: ClientSession,
  by: Pick<HistoryChange, 'call' | 'caller' | 'requestId'>,
): PharmacyChange {
  const { CLINIC_TZ: timeZone, LOW_STOCK_BELOW: lowStockBelow, CURRENCY: currency } = context.settings;
  const now = new Date();
  const collections = collectionsOf(context.db);
  return {
    collections,
    session,
    now,
    lowStockBelow,
    currency,
    today: clinicMoment(now, timeZone).date,
    count: (before, after) => countOrder(collections, before, after, { session, timeZone }),
    record: (...entries) =>
      appendEvents(
        context,
        session,
        entries.map((entry) => ({ ...by, ...entry })),
      ),
    move: async (...movements) => {
      const { caller, requestId } = by;
      // A customer's own order is theirs, whatever else they may do.
      const role = movements.some(({ orderId }) => orderId !== undefined)
        ? caller?.role
        : caller && partOf(actorOf(caller)).role;
      const actor = caller && role && { id: caller.id, role };
      const rows = movementRecords(movements, { at: now, ...(actor && { actor }), requestId });
      await collections.movements.insertMany(rows, { session });
    },
    send: (...messages) => appendOutbox(context, session, ...messages),
  };
}

/** The change that a call makes; its history entries name the caller and the request. */
export function changeOf(
  context: Pick<PharmacyContext, 'db' | 'settings'>,
  { call, caller, requestId }: ServiceRequest,
  session: ClientSession,
): PharmacyChange {
  return changeIn(context, session, { call, caller, requestId });
}

/** The clinic's date, 'yyyy-mm-dd'. */
export function clinicToday({ settings }: Pick<PharmacyContext, 'settings'>, now = new Date()): string {
  return clinicMoment(now, settings.CLINIC_TZ).date;
}
