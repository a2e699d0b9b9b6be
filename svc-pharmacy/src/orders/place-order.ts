import type { Caller, ParsedBody } from '@clinic/contracts';
import type { Prescription } from '../contract/order-schemas.ts';
import { newId, ProblemError } from '@clinic/service-kit';
import type { StockShortage } from '../contract/problems.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import type { MedicineRecord } from '../medicines/medicine-record.ts';
import { takeStock } from '../medicines/stock.ts';
import { announceOrder } from './announce-order.ts';
import { heldUntil } from './expire-orders.ts';
import { customerLimit } from '../medicines/household-limits.ts';
import { assertRoomForOneMore } from './open-orders.ts';
import {
  aboutOrder,
  itemKeysOf,
  orderLine,
  orderNumberOf,
  recipientFields,
  type OrderRecord,
  type RequestedLine,
} from './order-record.ts';
import { assertPricesAsShown } from './price-changes.ts';
import { isUnusual } from './unusual-orders.ts';

export interface OrderRequest {
  readonly requested: ParsedBody<'placeOrder'>;
  /** The account it belongs to; without one, it joins the account that confirms its address later. */
  readonly customerId: string | undefined;
  /** The customer whose limits count; staff order without. */
  readonly limited: Pick<Caller, 'id' | 'confirmed'> | undefined;
  /** Seen at the counter by who enters the order; absent in an order of the store. */
  readonly prescription?: Prescription;
  readonly rules: PharmacyContext['settings'];
}

/**
 * Places an order: priced from the pharmacy's own records, stock taken for all lines or for none.
 *
 * @returns the order, always `pending`
 * @throws ProblemError `prescription_needed`; `stock_short`, naming every line that can't be delivered and what is left of it; `price_changed`;
 *   `too_many_orders`
 */
export async function placeOrder(change: PharmacyChange, request: OrderRequest): Promise<OrderRecord> {
  const { collections, session } = change;
  const { requested: body, customerId, limited, rules, prescription } = request;
  const atCounter = prescription !== undefined;
  const requested = mergeLines(body.items);
  const medicineIds = requested.map((line) => line.medicineId);
  const allowance = limited && (await allowanceOf(change, limited, rules, medicineIds));
  const found = await collections.medicines.find({ medicineId: { $in: medicineIds } }, { session }).toArray();
  if (!atCounter) assertNoPrescriptionNeeded(requested, found);
  assertDeliverable(requested, found, change.today, allowance);
  assertPricesAsShown(body.items, requested, found, change.currency);

  const orderId = newId();
  const lines: { readonly medicine: MedicineRecord; readonly quantity: number }[] = [];
  for (const { medicineId, quantity } of requested) {
    const movement = { reason: 'ordered', orderId: orderId.toHexString() } as const;
    const taken = await takeStock(change, medicineId, quantity, movement, atCounter);
    if (!taken) {
      // The read above is the transaction's snapshot; if the stock has changed since, the write conflicts and is retried.
      const now = await collections.medicines.find({ medicineId }, { session }).toArray();
      if (!atCounter) assertNoPrescriptionNeeded([{ medicineId, quantity }], now);
      assertDeliverable([{ medicineId, quantity }], now, change.today);
      throw new Error(`The stock of ${medicineId} could not be taken`);
    }
    lines.push({ medicine: taken, quantity });
  }

  const items = lines.map(({ medicine, quantity }) => orderLine(medicine, quantity));
  const holdHours = rules.PHARMACY_PENDING_ORDER_HOURS;
  const order: OrderRecord = {
    _id: orderId,
    number: orderNumberOf(orderId),
    items,
    itemKeys: itemKeysOf({ items }),
    orderDate: change.now,
    status: 'pending',
    deliveryAddress: body.deliveryAddress,
    ...(customerId !== undefined && { customerId }),
    customerEmail: body.customeremail,
    ...recipientFields(body.recipientName, body.customerPhone, rules.CLINIC_COUNTRY),
    ...(holdHours > 0 && { heldUntil: heldUntil(change.now, holdHours) }),
    ...(prescription && { prescription }),
    ...(!atCounter && isUnusual(lines, rules.PHARMACY_UNITS_PER_CUSTOMER) && { unusual: true as const }),
  };
  await collections.orders.insertOne(order, { session });
  await change.count(undefined, order);
  await change.record({
    ...aboutOrder(order),
    // Not 'placed': who placed an order is its customer, also for a release that doesn't know the counter.
    action: atCounter ? 'entered at the counter' : 'placed',
    before: null,
    after: { status: order.status, ...(prescription && { prescription }) },
  });
  await announceOrder(change, 'order-placed', order);
  return order;
}

/** Units of a medicine that the customer can still order. */
type Allowance = (medicine: MedicineRecord) => number;

async function allowanceOf(
  change: PharmacyChange,
  customer: Pick<Caller, 'id' | 'confirmed'>,
  rules: PharmacyContext['settings'],
  medicineIds: readonly string[],
): Promise<Allowance> {
  const onOrder = await assertRoomForOneMore(change, customer, medicineIds, rules);
  return (medicine) =>
    customerLimit(medicine, rules.PHARMACY_UNITS_PER_CUSTOMER) - (onOrder.get(medicine.medicineId) ?? 0);
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

function assertNoPrescriptionNeeded(requested: readonly RequestedLine[], found: readonly MedicineRecord[]): void {
  const lines = requested.flatMap(({ medicineId, quantity }): StockShortage[] => {
    const medicine = found.find((one) => one.medicineId === medicineId);
    if (!medicine?.prescriptionOnly) return [];
    return [{ medicineId, name: medicine.name, requested: quantity, available: 0, reason: 'prescription' }];
  });
  if (lines.length === 0) return;
  const names = lines.map(({ name }) => name).join(', ');
  const needs = lines.length === 1 ? 'needs a prescription: bring it' : 'need a prescription: bring it';
  throw new ProblemError('prescription_needed', {
    detail: `${names} ${needs} to our pharmacy counter. We haven’t placed your order.`,
    lines,
  });
}

function assertDeliverable(
  requested: readonly RequestedLine[],
  found: readonly MedicineRecord[],
  today: string,
  allowance?: Allowance,
): void {
  const byId = new Map(found.map((medicine) => [medicine.medicineId, medicine]));
  const lines = requested.flatMap((line) => shortageOf(line, byId.get(line.medicineId), today, allowance) ?? []);
  if (lines.length === 0) return;
  const { limited = [], short = [] } = Object.groupBy(lines, ({ reason }) =>
    reason === 'limit' ? 'limited' : 'short',
  );
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
 * @param allowance - unlimited if omitted
 */
export function shortageOf(
  line: RequestedLine,
  medicine: MedicineRecord | undefined,
  today: string,
  allowance?: Allowance,
): StockShortage | undefined {
  const { medicineId, quantity: requested } = line;
  if (!medicine) return { medicineId, requested, available: 0, reason: 'unknown' };
  const { name, quantity } = medicine;
  if (medicine.archived) return { medicineId, name, requested, available: 0, reason: 'unknown' };
  if (medicine.expiryDate < today) return { medicineId, name, requested, available: 0, reason: 'expired' };
  if (quantity === 0) return { medicineId, name, requested, available: 0, reason: 'out of stock' };
  const allowed = Math.max(0, allowance?.(medicine) ?? quantity);
  if (allowed < requested && allowed < quantity)
    return { medicineId, name, requested, available: allowed, reason: 'limit' };
  if (quantity < requested) return { medicineId, name, requested, available: quantity, reason: 'not enough' };
  return undefined;
}
