import type { Collection, Db } from 'mongodb';
import type { MedicineDocument } from './medicines/medicine.ts';
import type { OrderDocument } from './orders/order.ts';
import type { MedicineRollup, OrderRollup } from './reports/order-tallies.ts';

/** The last number assigned in a series. */
export interface CounterDocument {
  readonly _id: string;
  readonly last: number;
}

/** The pharmacy's collections, typed. */
export interface Stores {
  readonly medicines: Collection<MedicineDocument>;
  readonly orders: Collection<OrderDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly orderTallies: Collection<OrderRollup>;
  readonly medicineTallies: Collection<MedicineRollup>;
}

export function storesOf(db: Db): Stores {
  return {
    medicines: db.collection<MedicineDocument>('medicines'),
    orders: db.collection<OrderDocument>('orders'),
    counters: db.collection<CounterDocument>('counters'),
    orderTallies: db.collection<OrderRollup>('orderTallies'),
    medicineTallies: db.collection<MedicineRollup>('medicineTallies'),
  };
}
