import type { StockShortage } from '@clinic/contracts';
import { newId, ProblemError } from '@clinic/service-kit';
import type { Change } from '../change.ts';
import type { MedicineDocument } from '../medicines/medicine.ts';
import { takeStock } from '../medicines/stock.ts';
import { heldUntil } from './expire-orders.ts';
import type { HouseholdLimits } from './household-limits.ts';
import { itemKeysOf, orderNumberOf, whomItConcerns, type OrderDocument, type OrderLine } from './order.ts';
import { refuseChangedPrices } from './price-changes.ts';
import { isUnusual } from './unusual-orders.ts';

/** One line of an order request: names and dates come from the pharmacy's records, not from the customer. */
export interface RequestedLine {
  readonly medicineId: string;
  /** Units, at least 1. */
  readonly quantity: number;
  /** The price per unit that the customer was shown, a decimal amount; the order is rejected if it differs. */
  readonly pricePerUnit?: number | undefined;
}

export interface OrderRequest {
  readonly items: readonly RequestedLine[];
  readonly deliveryAddress: string;
  /** The account that orders. */
  readonly customerId: string;
  /** Lower case. */
  readonly customerEmail: string;
  readonly customerPhone: string;
  /** Units of a medicine that the customer can still order; unlimited if omitted. */
  readonly allowance?: ((medicine: MedicineDocument) => number) | undefined;
  /** Default limits per customer. */
  readonly limits: HouseholdLimits;
  /** Hours until it expires if still pending; 0: never. */
  readonly holdHours: number;
}

/**
 * Places an order: priced from the pharmacy's own records, stock taken for all lines or for none.
 *
 * @returns the order, always `pending`
 * @throws ProblemError `stock_short`, naming every line that can't be delivered and what is left of it; `price_changed`
 */
export async function placeOrder(change: Change, request: OrderRequest): Promise<OrderDocument> {
  const { stores, session } = change;
  const requested = mergeLines(request.items);
  const medicineIds = requested.map((line) => line.medicineId);
  const found = await stores.medicines.find({ medicineId: { $in: medicineIds } }, { session }).toArray();
  refuseShortages(requested, found, change.today, request.allowance);
  refuseChangedPrices(request.items, requested, found);

  const orderId = newId();
  const lines: { readonly medicine: MedicineDocument; readonly quantity: number }[] = [];
  for (const { medicineId, quantity } of requested) {
    const taken = await takeStock(change, medicineId, quantity, { action: 'ordered', orderId: orderId.toHexString() });
    if (!taken) {
      // The read above is the transaction's snapshot; if the stock has changed since, the write conflicts and is retried.
      const now = await stores.medicines.find({ medicineId }, { session }).toArray();
      refuseShortages([{ medicineId, quantity }], now, change.today);
      throw new Error(`The stock of ${medicineId} could not be taken`);
    }
    lines.push({ medicine: taken, quantity });
  }

  const items = lines.map(({ medicine, quantity }) => orderLine(medicine, quantity));
  const order: OrderDocument = {
    _id: orderId,
    number: orderNumberOf(orderId),
    items,
    itemKeys: itemKeysOf({ items }),
    orderDate: change.now,
    status: 'pending',
    deliveryAddress: request.deliveryAddress,
    customerId: request.customerId,
    customerEmail: request.customerEmail,
    customerPhone: request.customerPhone,
    ...(request.holdHours > 0 && { heldUntil: heldUntil(change.now, request.holdHours) }),
    ...(isUnusual(lines, request.limits) && { unusual: true as const }),
  };
  await stores.orders.insertOne(order, { session });
  await change.count(undefined, order);
  await change.record({
    record: { type: 'order', id: orderId.toHexString() },
    ...whomItConcerns(order),
    action: 'placed',
    before: null,
    after: { status: order.status },
  });
  return order;
}

/** One line per medicine, ordered by id: every order locks stock in the same sequence, so that two of them can't deadlock. */
export function mergeLines(lines: readonly RequestedLine[]): RequestedLine[] {
  const quantities = new Map<string, number>();
  for (const { medicineId, quantity } of lines)
    quantities.set(medicineId, (quantities.get(medicineId) ?? 0) + quantity);
  return [...quantities]
    .map(([medicineId, quantity]) => ({ medicineId, quantity }))
    .sort((a, b) => (a.medicineId < b.medicineId ? -1 : 1));
}

function refuseShortages(
  requested: readonly RequestedLine[],
  found: readonly MedicineDocument[],
  today: string,
  allowance?: OrderRequest['allowance'],
): void {
  const byId = new Map(found.map((medicine) => [medicine.medicineId, medicine]));
  const lines = requested.flatMap((line) => shortageOf(line, byId.get(line.medicineId), today, allowance) ?? []);
  if (lines.length === 0) return;
  const [limited, short] = [
    lines.filter(({ reason }) => reason === 'limit'),
    lines.filter(({ reason }) => reason !== 'limit'),
  ];
  const sentences = [
    ...(short.length > 0 ? [`We can’t deliver: ${short.map((line) => line.name ?? line.medicineId).join(', ')}.`] : []),
    ...limited.map(({ name, available }) =>
      available > 0
        ? `You can order at most ${available} of ${name}.`
        : `You already have the most ${name} you can have on order.`,
    ),
  ];
  throw new ProblemError('stock_short', { detail: `${sentences.join(' ')} We haven’t placed your order.`, lines });
}

/**
 * Why a line can't be delivered; `undefined` if it can.
 *
 * @param today - the clinic's date, 'yyyy-mm-dd'
 * @param allowance - units of a medicine that the customer can still order
 */
export function shortageOf(
  line: RequestedLine,
  medicine: MedicineDocument | undefined,
  today: string,
  allowance?: OrderRequest['allowance'],
): StockShortage | undefined {
  const { medicineId, quantity: requested } = line;
  if (!medicine) return { medicineId, requested, available: 0, reason: 'unknown' };
  const { name, quantity } = medicine;
  if (medicine.expiryDate < today) return { medicineId, name, requested, available: 0, reason: 'expired' };
  if (quantity === 0) return { medicineId, name, requested, available: 0, reason: 'out of stock' };
  const allowed = Math.max(0, allowance?.(medicine) ?? quantity);
  if (allowed < requested && allowed < quantity)
    return { medicineId, name, requested, available: allowed, reason: 'limit' };
  if (quantity < requested) return { medicineId, name, requested, available: quantity, reason: 'not enough' };
  return undefined;
}

function orderLine(
  { medicineId, name, manufacturer, unit, priceMinor, expiryDate }: MedicineDocument,
  quantity: number,
): OrderLine {
  return { medicineId, name, manufacturer, quantity, unit, priceMinor, expiryDate };
}
