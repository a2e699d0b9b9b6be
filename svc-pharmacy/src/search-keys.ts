import { rewriteRecords, type SchemaChange } from '@clinic/service-kit';
import { nameKeyOf } from './medicines/medicine-record.ts';
import { itemKeysOf } from './orders/order-record.ts';
import { collectionsOf } from './collections.ts';

/** Fills in the search keys of medicines and orders; earlier releases searched by lower case. @param number - of the schema change */
export const findBySearchKeys = (number: number): SchemaChange => ({
  number,
  name: 'medicines and orders are found by search keys',
  up: async (context) => {
    const { medicines, orders } = collectionsOf(context.db);
    await rewriteRecords(context, medicines, ['name'], ({ name }) => ({ nameKey: nameKeyOf(name) }));
    await rewriteRecords(context, orders, ['items'], (order) => ({ itemKeys: itemKeysOf(order) }));
  },
});
