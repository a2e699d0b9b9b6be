import { formatShortDate, formatStorePrice, toMinor } from '@clinic/app-kit';
import type { HistoryEntry } from '@clinic/contracts';
import { orderNumber } from '../orders/order-format.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  manufacturer: 'Manufacturer',
  unit: 'Unit',
  expiryDate: 'Expiry',
  pricePerUnit: 'Price',
  quantity: 'Stock',
  status: 'Status',
  maxPerCustomer: 'Most per customer',
  category: 'Category',
  prescriptionOnly: 'Prescription only',
};

/** What happened, in a few words: 'Shipped', 'Restocked: +30, now 42'. */
export function describeEntry({ action, before, after }: HistoryEntry): string {
  switch (action) {
    case 'placed':
      return 'Ordered';
    case 'entered at the counter':
      return `Entered at the counter${prescriptionOf(after)}`;
    case 'status changed':
      return `${String(before?.['status'])} → ${String(after['status'])}`;
    case 'expired':
      return 'Cancelled: not sent in time';
    case 'ordered':
      return `${orderName(after)}: ${movement(before, after)}`;
    case 'order cancelled':
      return `${orderName(after)} cancelled: ${movement(before, after)}${surplus(after)}`;
    case 'restocked':
      return `Restocked: ${movement(before, after)}`;
    case 'adjusted':
      return `${reasonOf(after)}: ${movement(before, after)}${note(after)}`;
    case 'archived':
      return 'Archived';
    case 'brought back':
      return 'Brought back';
    case 'added':
      return `Added with ${amount(after['quantity'])} in stock`;
    case 'edited':
      return `Edited: ${edits(before ?? {}, after)}`;
    // A newer server may know more actions: show its own word.
    default:
      return action;
  }
}

/** Who did it, if the reader may know. */
export function describeActor({ actor }: HistoryEntry): string | undefined {
  if (!actor) return undefined;
  if (actor.email) return actor.email;
  return actor.role === 'patient' ? 'the customer' : 'the pharmacy';
}

function reasonOf({ reason }: Fields): string {
  const word = typeof reason === 'string' ? reason : 'adjusted';
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function note({ note: words }: Fields): string {
  return typeof words === 'string' && words !== '' ? `. ${words}` : '';
}

/** A deleted person's history has its fields, but empty. */
function prescriptionOf({ prescription }: Fields): string {
  const { date, prescriber } = (prescription ?? {}) as Fields;
  return typeof date === 'string' && typeof prescriber === 'string' && date !== ''
    ? `: prescription of ${formatShortDate(date)} by ${prescriber}`
    : '';
}

function orderName({ orderId }: Fields): string {
  return typeof orderId === 'string' ? `Order ${orderNumber({ _id: orderId })}` : 'Order';
}

function movement(before: Fields | null, after: Fields): string {
  const by = Number(after['quantity']) - Number(before?.['quantity'] ?? 0);
  return `${by < 0 ? '−' : '+'}${amount(Math.abs(by))}, now ${amount(after['quantity'])}`;
}

/** Units returned to stock that was already at its maximum. */
function surplus({ surplus: units }: Fields): string {
  return units === undefined ? '' : `, ${amount(units)} more not counted`;
}

function edits(before: Fields, after: Fields): string {
  return Object.keys(after)
    .filter((field) => field in fieldNames)
    .map((field) => `${fieldNames[field] ?? field} ${written(field, before[field])} → ${written(field, after[field])}`)
    .join(', ');
}

function written(field: string, value: unknown): string {
  if (field === 'pricePerUnit' && typeof value === 'number') return formatStorePrice(toMinor(value));
  if (field === 'expiryDate' && typeof value === 'string') return formatShortDate(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field === 'maxPerCustomer' && value === null) return 'the usual limit';
  if (field === 'category' && value === null) return 'none';
  return typeof value === 'number' ? amount(value) : `“${String(value)}”`;
}

function amount(value: unknown): string {
  return Number(value).toLocaleString('en');
}
