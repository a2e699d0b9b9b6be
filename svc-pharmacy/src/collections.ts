import type { Db } from 'mongodb';
import type { StockRequestRecord } from './back-in-stock/stock-request-record.ts';
import type { MedicineRecord } from './medicines/medicine-record.ts';
import type { MovementRecord } from './medicines/movement-record.ts';
import type { OrderRecord } from './orders/order-record.ts';
import type { MedicineRollup, OrderRollup } from './reports/rollup-records.ts';

/** The last number assigned in a series. */
interface CounterDocument {
  readonly _id: string;
  readonly last: number;
}

/** The pharmacy's collections, typed. */
export function collectionsOf(db: Db) {
  return {
    medicines: db.collection<MedicineRecord>('medicines'),
    movements: db.collection<MovementRecord>('movements'),
    orders: db.collection<OrderRecord>('orders'),
    stockRequests: db.collection<StockRequestRecord>('stockRequests'),
    counters: db.collection<CounterDocument>('counters'),
    orderTallies: db.collection<OrderRollup>('orderTallies'),
    medicineTallies: db.collection<MedicineRollup>('medicineTallies'),
  };
}

export type PharmacyCollections = ReturnType<typeof collectionsOf>;
