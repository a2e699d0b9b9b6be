import type { Rollup } from '@clinic/service-kit';
import type { OrderStatus } from '../contract/transitions.ts';

/** Rollup of a day's orders by status, split into shards, see `rollupShard`. */
export interface OrderRollup extends Rollup, Partial<Readonly<Record<OrderStatus, number>>> {
  /** 'yyyy-mm-dd', the day the orders were placed, in the clinic's time zone. */
  readonly day: string;
  /** Of orders that aren't cancelled, minor currency units. */
  readonly revenueMinor?: number;
}

/** Rollup of a medicine's sales per day, and again per month: a year is then the sum of twelve, not of 366. */
export interface MedicineRollup extends Rollup {
  /** A day 'yyyy-mm-dd' or a month 'yyyy-mm'. */
  readonly span: string;
  readonly medicineId: string;
  /** Its name in the latest order. */
  readonly name: string;
  /** Units in orders that aren't cancelled. */
  readonly quantity: number;
  /** Minor currency units. */
  readonly revenueMinor: number;
}
