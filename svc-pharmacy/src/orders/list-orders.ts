import { clinicInstant, type OrderStatus } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { withoutInvisible } from '@clinic/contracts/visible-text';
import { escapeRegex, noRows, searchedPhone } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
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
 * Filter of a list of orders; every combination has an index (see `indexes.ts`).
 *
 * @param timeZone - the clinic's, IANA name
 */
export function orderFilter(
  { customerId, email, status, unusual, from, q }: OrderSearch,
  timeZone: string,
): Filter<OrderRecord> {
  return {
    ...(customerId === undefined ? {} : { customerId }),
    ...(email === undefined ? {} : { customerEmail: email }),
    ...(status === undefined ? {} : { status }),
    ...(unusual === undefined ? {} : { unusual: true }),
    ...(from === undefined ? {} : { orderDate: { $gte: clinicInstant({ date: from, time: '00:00' }, timeZone) } }),
    ...(q ? searchedFor(q, email !== undefined || customerId !== undefined) : {}),
  };
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

function searchedFor(q: string, ofOneCustomer: boolean): Filter<OrderRecord> {
  if (q.startsWith('#')) return { number: q.slice(1).trim().toUpperCase() };
  const key = searchKey(q);
  // Nothing visible to search for, so nothing matches.
  if (key === '') return noRows();
  const numbered = bareNumber.test(q.trim()) ? [{ number: q.trim().toUpperCase() }] : [];
  if (ofOneCustomer)
    return {
      $or: [
        ...numbered,
        { itemKeys: { $regex: escapeRegex(key) } },
        { itemKeys: { $exists: false }, 'items.name': { $regex: escapeRegex(q), $options: 'i' } },
      ],
    };
  // Unlike a pattern, a range is counted from the index alone; \uffff sorts after any character of an address.
  const address = withoutInvisible(q).trim().toLowerCase();
  const byEmail = { customerEmail: { $gte: address, $lt: `${address}\uffff` } };
  const phone = searchedPhone(q);
  const recipient = phone === undefined ? findsRecipients(key) && key : phone.length >= shortestPhone && phone;
  const byName = recipient ? [{ recipientKeys: { $regex: `^${escapeRegex(recipient)}` } }] : [];
  return numbered.length + byName.length > 0 ? { $or: [...numbered, ...byName, byEmail] } : byEmail;
}

/** Sort orders of a list of orders: newest first, or by customer and then newest first. */
export const orderSorts = {
  newest: { orderDate: -1, _id: -1 },
  customer: { customerEmail: 1, orderDate: -1, _id: -1 },
} as const;

/** A search by customer reads along the customer index; everything else is sorted newest first. */
export function orderSortFor({ customerId, email, q }: OrderSearch): keyof typeof orderSorts {
  return q && !q.startsWith('#') && email === undefined && customerId === undefined ? 'customer' : 'newest';
}
