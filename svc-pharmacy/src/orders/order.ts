import { toMajor, type Order, type OrderStatus } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import type { ObjectId } from 'mongodb';
import type { HistoryEntry } from '../change.ts';

/** What was sold, as it was at the time of the order. */
export interface OrderLine {
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly quantity: number;
  readonly unit: string;
  /** Minor currency units. */
  readonly priceMinor: number;
  /** 'yyyy-mm-dd' */
  readonly expiryDate: string;
}

/** An order as the pharmacy keeps it. */
export interface OrderDocument {
  readonly _id: ObjectId;
  /** What people call it by, see {@link orderNumberOf}. */
  readonly number: string;
  readonly items: readonly OrderLine[];
  /** Search keys of the medicines' names; absent in orders that the previous release writes while both run. */
  readonly itemKeys?: readonly string[];
  readonly orderDate: Date;
  readonly status: OrderStatus;
  readonly deliveryAddress: string;
  /** The account it belongs to; absent while no account has it, see `customer-accounts.ts`. Not on the wire. */
  readonly customerId?: string;
  /** Where to reach the customer; lower case. It says nothing about whose the order is. */
  readonly customerEmail: string;
  readonly customerPhone: string;
  /** When it expires unless it has left `pending` by then; absent where orders don't expire, or in an order that hasn't got its time yet. */
  readonly heldUntil?: Date;
  /** See `isUnusual`. */
  readonly unusual?: true;
}

/** '4F09A1': the end of the id, in which orders of one day differ; screens show it as '#4F09A1'. */
export function orderNumberOf(id: ObjectId): string {
  return id.toHexString().slice(-6).toUpperCase();
}

/** By whom an order's events are found and in whose lists they show. */
export function whomItConcerns({ customerId, customerEmail }: Pick<OrderDocument, 'customerId' | 'customerEmail'>): Pick<HistoryEntry, 'concerns' | 'accounts'> {
  return { concerns: [customerEmail], accounts: customerId === undefined ? [] : [customerId] };
}

/** What an order of a customer is found by. */
export function itemKeysOf({ items }: Pick<OrderDocument, 'items'>): string[] {
  return [...new Set(items.map(({ name }) => searchKey(name)))];
}

/** The order as specified (section 3). */
export function toWireOrder(order: OrderDocument): Order {
  return {
    _id: order._id.toHexString(),
    items: order.items.map(({ priceMinor, ...line }) => ({ ...line, pricePerUnit: toMajor(priceMinor) })),
    orderDate: order.orderDate.toISOString(),
    status: order.status,
    deliveryAddress: order.deliveryAddress,
    customeremail: order.customerEmail,
    customerPhone: order.customerPhone,
    ...(order.status === 'pending' && order.heldUntil && { heldUntil: order.heldUntil.toISOString() }),
    ...(order.unusual && { unusual: true }),
  };
}
