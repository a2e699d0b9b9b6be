import type { OrderStatus } from '@clinic/contracts';
import { escapeRegex } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { OrderDocument } from './order.ts';

export interface OrderSearch {
  /** Orders of this customer; lower case. */
  readonly email?: string | undefined;
  readonly status?: OrderStatus | undefined;
  /** The beginning of the customer's e-mail. */
  readonly q?: string | undefined;
}

/** What a list of orders asks for; each combination is led by an index (see `indexes.ts`). */
export function orderFilter({ email, status, q }: OrderSearch): Filter<OrderDocument> {
  const customers = [...(email === undefined ? [] : [{ customerEmail: email }]), ...(q ? [{ customerEmail: { $regex: `^${escapeRegex(q.toLowerCase())}` } }] : [])];
  return {
    ...(status === undefined ? {} : { status }),
    ...(customers.length > 1 ? { $and: customers } : customers[0]),
  };
}

/** The orders a list of orders can be read in: the newest first, or by customer and then the newest first. */
export const orderSorts = {
  newest: { orderDate: -1, _id: -1 },
  customer: { customerEmail: 1, orderDate: -1, _id: -1 },
} as const;
