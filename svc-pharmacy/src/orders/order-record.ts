import { toMajor } from '@clinic/contracts';
import type { Order, Prescription } from '../contract/order-schemas.ts';
import { keysFromEachWord, searchKey } from '@clinic/contracts/search-key';
import { internationalPhone, ownedBy, phoneWords, type Country } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import type { OrderStatus } from '../contract/transitions.ts';
import type { MedicineRecord } from '../medicines/medicine-record.ts';
import type { HistoryEntry } from '../history/history-entry.ts';

/** What was sold, as it was at the time of the order. */
export type OrderLine = Pick<
  MedicineRecord,
  'medicineId' | 'name' | 'manufacturer' | 'quantity' | 'unit' | 'priceMinor' | 'expiryDate'
>;

/** The line of an order of some units of a medicine. */
export function orderLine(medicine: MedicineRecord, quantity: number): OrderLine {
  const { medicineId, name, manufacturer, unit, priceMinor, expiryDate } = medicine;
  return { medicineId, name, manufacturer, quantity, unit, priceMinor, expiryDate };
}

/** One line of an order request: names and dates come from the pharmacy's records, not from the customer. */
export interface RequestedLine {
  readonly medicineId: string;
  /** Units, at least 1. */
  readonly quantity: number;
  /** The price per unit that the customer was shown, a decimal amount; the order is rejected if it differs. */
  readonly pricePerUnit?: number | undefined;
}

/** An order in the database. */
export interface OrderRecord {
  readonly _id: ObjectId;
  /** The number for people, see {@link orderNumberOf}. */
  readonly number: string;
  readonly items: readonly OrderLine[];
  /** Search keys of the medicines' names; absent in orders written by the previous release while both run. */
  readonly itemKeys?: readonly string[];
  readonly orderDate: Date;
  readonly status: OrderStatus;
  readonly deliveryAddress: string;
  /** The account it belongs to; absent if there is none yet, see `customer-accounts.ts`. Not on the wire. */
  readonly customerId?: string;
  /** The customer's contact address, lower case. Ownership is by account. */
  readonly customerEmail: string;
  /** As typed. */
  readonly customerPhone: string;
  /** In international form (E.164); empty: not a whole number; absent: written by the previous release, or deleted. */
  readonly customerPhoneE164?: string;
  /** Who gets the parcel; absent in orders of earlier releases, and if nobody has said it. */
  readonly recipientName?: string;
  /** What finds it: the recipient's search key from each word on, and the customer's phone number. */
  readonly recipientKeys?: readonly string[];
  /** The prescription with which it was entered at the counter; absent in orders of the store. */
  readonly prescription?: Prescription;
  /** When it expires if still pending; absent if orders don't expire, or it hasn't been set yet. */
  readonly heldUntil?: Date;
  /** See `isUnusual`. */
  readonly unusual?: true;
  /** When its customer was deleted while it was on its way: until it arrives it keeps address and phone. */
  readonly erasedAt?: Date;
}

/** '4F09A1': the end of the id, which differs between orders of one day; screens show it as '#4F09A1'. */
export function orderNumberOf(id: ObjectId): string {
  return id.toHexString().slice(-6).toUpperCase();
}

/** An order's record in the history, the people its events can be found by, and the accounts whose lists show it. */
export function aboutOrder({ _id, customerId, customerEmail }: OrderRecord) {
  return {
    record: { type: 'order', id: _id.toHexString() },
    concerns: [customerEmail],
    accounts: customerId === undefined ? [] : [customerId],
  } as const satisfies Partial<HistoryEntry>;
}

/**
 * The fields that say who gets the parcel.
 *
 * @param name - empty or absent if nobody has said it
 * @param phone - as typed
 * @param country - of phone numbers without a country's code
 */
export function recipientFields(
  name: string | undefined,
  phone: string,
  country: Country,
): Pick<OrderRecord, 'recipientName' | 'recipientKeys' | 'customerPhone' | 'customerPhoneE164'> {
  const customerPhoneE164 = internationalPhone(phone, country);
  const recipientKeys = [...keysFromEachWord(name ?? ''), ...phoneWords(phone, customerPhoneE164)];
  return {
    ...(name && { recipientName: name }),
    customerPhone: phone,
    ...(phone !== '' && { customerPhoneE164 }),
    ...(recipientKeys.length > 0 && { recipientKeys }),
  };
}

/** What an order costs, in minor currency units. */
export function totalMinorOf({ items }: Pick<OrderRecord, 'items'>): number {
  return items.reduce((sum, { priceMinor, quantity }) => sum + priceMinor * quantity, 0);
}

/** Search keys of an order's medicines. */
export function itemKeysOf({ items }: Pick<OrderRecord, 'items'>): string[] {
  return [...new Set(items.map(({ name }) => searchKey(name)))];
}

/** The address of an order that nobody delivers. */
export const collectedAtCounter = 'Collected at our pharmacy counter';

/** Whether the patient collects it: only orders that staff entered at the counter are. */
export const isCollected = ({ prescription, deliveryAddress }: Pick<OrderRecord, 'prescription' | 'deliveryAddress'>) =>
  prescription !== undefined && deliveryAddress === collectedAtCounter;

/** The order in its wire shape. */
export function toOrder(order: Omit<OrderRecord, 'itemKeys' | 'recipientKeys'>): Order {
  return ownedBy(
    { email: order.customerEmail, id: order.customerId },
    {
      _id: order._id.toHexString(),
      items: order.items.map(({ priceMinor, ...line }) => ({ ...line, pricePerUnit: toMajor(priceMinor) })),
      orderDate: order.orderDate.toISOString(),
      status: order.status,
      deliveryAddress: order.deliveryAddress,
      customeremail: order.customerEmail,
      customerPhone: order.customerPhone,
      ...(order.recipientName && { recipientName: order.recipientName }),
      ...(order.prescription && { prescription: order.prescription }),
      ...(isCollected(order) && { collected: true as const }),
      ...(order.status === 'pending' && order.heldUntil && { heldUntil: order.heldUntil.toISOString() }),
      ...(order.unusual && { unusual: true as const }),
    },
  );
}
