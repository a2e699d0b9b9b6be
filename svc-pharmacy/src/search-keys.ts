import { searchKey } from '@clinic/contracts/search-key';
import { derivedFields, rewriteRecords, type Country, type SchemaChange } from '@clinic/service-kit';
import { nameFields, type MedicineRecord } from './medicines/medicine-record.ts';
import { itemKeysOf, orderNumberOf, recipientFields, type OrderRecord } from './orders/order-record.ts';
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

/** What searches and sorts read, by the records it is derived from. @param country - of phone numbers without a country's code */
export const searchFields = (country: Country) => [
  derivedFields<MedicineRecord, 'name'>({
    recordType: 'medicine',
    actions: ['added', 'edited'],
    collection: (db) => collectionsOf(db).medicines,
    from: ['name'],
    derive: nameFields,
  }),
  derivedFields<OrderRecord, '_id' | 'items' | 'recipientName' | 'customerPhone' | 'erasedAt'>({
    recordType: 'order',
    actions: ['placed', 'entered at the counter'],
    collection: (db) => collectionsOf(db).orders,
    from: ['_id', 'items', 'recipientName', 'customerPhone', 'erasedAt'],
    derive: (order) => {
      const ofAll = { number: orderNumberOf(order._id), itemKeys: itemKeysOf(order) };
      // An order on its way keeps its recipient after the customer's deletion, but can't be found by them.
      if (order.erasedAt) return ofAll;
      const { recipientName: _name, ...found } = recipientFields(order.recipientName, order.customerPhone, country);
      return { ...ofAll, ...found };
    },
  }),
];
