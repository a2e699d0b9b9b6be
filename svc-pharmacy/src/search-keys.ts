import { searchKey } from '@clinic/contracts/search-key';
import { derivedFields, rewriteRecords, type SchemaChange } from '@clinic/service-kit';
import { nameFields, type MedicineRecord } from './medicines/medicine-record.ts';
import { itemKeysOf } from './orders/order-record.ts';
import { collectionsOf } from './collections.ts';

/** Fills in the search keys of medicines and orders; earlier releases searched by lower case. @param number - of the schema change */
export const findBySearchKeys = (number: number): SchemaChange => ({
  number,
  name: 'medicines and orders are found by search keys',
  up: async (context) => {
    const { medicines, orders } = collectionsOf(context.db);
    await rewriteRecords(context, medicines, ['name'], ({ name }) => ({ nameKey: searchKey(name) }));
    await rewriteRecords(context, orders, ['items'], (order) => ({ itemKeys: itemKeysOf(order) }));
  },
});

/** What searches and sorts read, by the records it is derived from. */
export const searchFields = [
  derivedFields<MedicineRecord, 'name'>({
    recordType: 'medicine',
    actions: ['added', 'edited'],
    collection: (db) => collectionsOf(db).medicines,
    from: ['name'],
    derive: nameFields,
  }),
];
