import { clinicInstant, type OrderStatus } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { escapeRegex, noRows } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { OrderDocument } from './order.ts';

export interface OrderSearch {
  /** Orders of this account. */
  readonly customerId?: string | undefined;
  /** Orders under this address, whoever's they are, for staff; lower case. */
  readonly email?: string | undefined;
  readonly status?: OrderStatus | undefined;
  /** Only those that staff should look at first. */
  readonly unusual?: 'true' | undefined;
  /** First day of the orders, 'yyyy-mm-dd' by the clinic's clock. */
  readonly from?: string | undefined;
  /**
   * '#4F09A1': the order of that number. Anything else is the beginning of the customer's e-mail, or among the orders of one
   * customer a part of a medicine's name.
   */
  readonly q?: string | undefined;
}

/**
 * What a list of orders asks for; each combination is led by an index (see `indexes.ts`).
 *
 * @param timeZone - the clinic's, IANA name
 */
export function orderFilter({ customerId, email, status, unusual, from, q }: OrderSearch, timeZone: string): Filter<OrderDocument> {
  return {
    ...(customerId === undefined ? {} : { customerId }),
    ...(email === undefined ? {} : { customerEmail: email }),
    ...(status === undefined ? {} : { status }),
    ...(unusual === undefined ? {} : { unusual: true }),
    ...(from === undefined ? {} : { orderDate: { $gte: clinicInstant({ date: from, time: '00:00' }, timeZone) } }),
    ...(q ? searchedFor(q, email !== undefined || customerId !== undefined) : {}),
  };
}

function searchedFor(q: string, ofOneCustomer: boolean): Filter<OrderDocument> {
  if (q.startsWith('#')) return { number: q.slice(1).trim().toUpperCase() };
  const key = searchKey(q);
  // Nothing of it can be seen, so nothing has it.
  if (key === '') return noRows();
  if (ofOneCustomer) return { $or: [{ itemKeys: { $regex: escapeRegex(key) } }, { itemKeys: { $exists: false }, 'items.name': { $regex: escapeRegex(q), $options: 'i' } }] };
  // A range is counted from the index alone, unlike a pattern; nothing in an address comes after the last character.
  return { customerEmail: { $gte: key, $lt: `${key}\uffff` } };
}

/** The orders a list of orders can be read in: the newest first, or by customer and then the newest first. */
export const orderSorts = {
  newest: { orderDate: -1, _id: -1 },
  customer: { customerEmail: 1, orderDate: -1, _id: -1 },
} as const;

/** Whoever searches by customer reads customer by customer, along the index; everybody else the newest first. */
export function orderSortFor({ customerId, email, q }: OrderSearch): keyof typeof orderSorts {
  return q && !q.startsWith('#') && email === undefined && customerId === undefined ? 'customer' : 'newest';
}
