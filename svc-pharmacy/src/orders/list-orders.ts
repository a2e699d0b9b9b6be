import { clinicInstant } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { withoutInvisible } from '@clinic/contracts/visible-text';
import { escapeRegex, noRows, searchedPhone, type Search } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { OrderStatus } from '../contract/transitions.ts';
import type { OrderRecord } from './order-record.ts';

export interface OrderSearch {
  /** Orders of this account. */
  readonly customerId?: string | undefined;
  /** Orders with this address, whoever owns them, for staff; lower case. */
  readonly email?: string | undefined;
  readonly status?: OrderStatus | undefined;
  /** Only those that staff should review first. */
  readonly unusual?: 'true' | undefined;
  /** First order day, 'yyyy-mm-dd' in the clinic's time zone. */
  readonly from?: string | undefined;
  /**
   * '#4F09A1': the order with that number. Anything else is a prefix of the customer's email or, from three letters on, of
   * a word of the recipient's name, or from seven digits on of the customer's phone number; for one customer's own orders part of a medicine's name. Six hexadecimal digits may be
   * either, and find both.
   */
  readonly q?: string | undefined;
}

/**
 * What a list of orders finds; every combination has an index (see `indexes.ts`).
 *
 * @param timeZone - the clinic's, IANA name
 */
export function orderSearch(
  { customerId, email, status, unusual, from, q }: OrderSearch,
  timeZone: string,
): Search<OrderRecord> {
  const narrowed: Filter<OrderRecord> = {
    ...(customerId === undefined ? {} : { customerId }),
    ...(email === undefined ? {} : { customerEmail: email }),
    ...(status === undefined ? {} : { status }),
    ...(unusual === undefined ? {} : { unusual: true }),
    ...(from === undefined ? {} : { orderDate: { $gte: clinicInstant({ date: from, time: '00:00' }, timeZone) } }),
  };
  if (!q) return [[narrowed]];
  // One customer's own orders are few.
  if (email !== undefined || customerId !== undefined) return [[{ ...narrowed, ...ofCustomer(q) }]];
  return ofEverybody(q, narrowed);
}

/**
 * Shortest search for a recipient, characters. Below it too many orders would match to be sorted for each page; email
 * addresses are read in their order.
 */
const shortestName = 3;

/** The same for a phone number, digits: those of one country or network begin alike. */
const shortestPhone = 7;

const findsRecipients = (key: string): boolean => Array.from(key).length >= shortestName && !key.includes('@');

/** A number as people copy it, without the '#'. */
const bareNumber = /^[0-9a-f]{6}$/i;

/** The number, or part of a medicine's name. */
function ofCustomer(q: string): Filter<OrderRecord> {
  const key = searchKey(q);
  const [number] = numbersIn(q);
  if (q.startsWith('#')) return { number };
  // Nothing visible to search for, so nothing matches.
  if (key === '') return noRows();
  return {
    $or: [
      ...(number === undefined ? [] : [{ number }]),
      { itemKeys: { $regex: escapeRegex(key) } },
      { itemKeys: { $exists: false }, 'items.name': { $regex: escapeRegex(q), $options: 'i' } },
    ],
  };
}

/** The number, or the recipient, or the address, which has an index with the status. */
function ofEverybody(q: string, narrowed: Filter<OrderRecord>): Search<OrderRecord> {
  const key = searchKey(q);
  const byNumber = numbersIn(q).map((number) => [{ ...narrowed, number }]);
  if (q.startsWith('#')) return byNumber;
  if (key === '') return [[noRows()]];
  // Unlike a pattern, a range is counted from the index alone; \uffff sorts after any character of an address.
  const address = withoutInvisible(q).trim().toLowerCase();
  const byEmail = { ...narrowed, customerEmail: { $gte: address, $lt: `${address}\uffff` } };
  const phone = searchedPhone(q);
  const recipient = phone === undefined ? findsRecipients(key) && key : phone.length >= shortestPhone && phone;
  const byName = recipient ? [[{ recipientKeys: { $regex: `^${escapeRegex(recipient)}` } }, narrowed]] : [];
  return [...byNumber, ...byName, [byEmail]];
}

function numbersIn(q: string): string[] {
  if (q.startsWith('#')) return [q.slice(1).trim().toUpperCase()];
  return bareNumber.test(q.trim()) ? [q.trim().toUpperCase()] : [];
}

/** Sort orders of a list of orders: newest first, oldest first, or by customer and then newest first. */
export const orderSorts = {
  newest: { orderDate: -1, _id: -1 },
  oldest: { orderDate: 1, _id: 1 },
  customer: { customerEmail: 1, orderDate: -1, _id: -1 },
} as const;

/** A search by customer reads along the customer index; everything else is sorted newest first. */
export function orderSortFor({ customerId, email, q }: OrderSearch): keyof typeof orderSorts {
  return q && !q.startsWith('#') && email === undefined && customerId === undefined ? 'customer' : 'newest';
}
