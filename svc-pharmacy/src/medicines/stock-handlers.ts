import { countToday, emailsOfAccounts, once, readPage, type DailyAct, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import type { KeyedLocks } from '../orders/keyed-locks.ts';
import { changeOf } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { adjustStock as adjust } from './adjust-stock.ts';
import { medicineById } from './medicine-handlers.ts';
import { toMedicine } from './medicine-record.ts';
import { toMovement, type MovementRecord } from './movement-record.ts';
import { checkStock } from './stock-ledger.ts';

/** Sort orders of a list of movements. */
export const movementSorts = { newest: { place: -1, _id: -1 } } as const;

/** More than a count of a whole pharmacy takes: each correction stays as a movement for good. */
const corrections: DailyAct = {
  act: 'stock-adjustments',
  most: 1_000,
  done: 'adjusted the stock',
  instead: 'ask a colleague',
};

/** Handlers of the calls about what comes into the stock and leaves it. */
export function stockHandlers(context: PharmacyContext, locks: KeyedLocks) {
  const collections = collectionsOf(context.db);

  const adjustStock: Handler<'adjustStock'> = async (request) => {
    const { params, body } = request;
    const { medicineId } = await medicineById(collections, params.id);
    return locks.take([medicineId], () =>
      once(context, request, async (session) => {
        await countToday(context, session, request.caller.id, corrections);
        const medicine = await adjust(changeOf(context, request, session), new ObjectId(params.id), body);
        return toMedicine(medicine, context.settings.PHARMACY_UNITS_PER_CUSTOMER);
      }),
    );
  };

  const listMovements: Handler<'listMovements'> = async ({ params, query }) => {
    const { _id: medicine } = await medicineById(collections, params.id);
    return readPage(collections.movements, {
      query,
      filter: { medicine },
      sorts: movementSorts,
      defaultSort: 'newest',
      map: { batch: withEmails },
    });
  };

  /** With the addresses of staff. A customer's order is named by its number. */
  const withEmails = async (rows: readonly MovementRecord[]) => {
    const staff = rows.flatMap(({ actor }) => (actor && actor.role !== 'patient' ? actor.id : []));
    const emails = await emailsOfAccounts(context, staff);
    return rows.map((row) => toMovement(row, row.actor && emails.get(row.actor.id)));
  };

  return { adjustStock, listMovements, checkStock: () => checkStock(context) };
}
