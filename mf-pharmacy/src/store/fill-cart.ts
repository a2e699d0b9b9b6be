import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { OrderItem } from '@clinic/svc-pharmacy/contract/order-schemas';
import { readMedicine, whyNotSellable } from '../medicines/medicine.ts';
import { addToCart, setQuantity, type Cart } from './cart.ts';

/** An item of an earlier order that isn't available, or not in that quantity. */
interface Missing {
  readonly medicineId: string;
  readonly name: string;
  readonly reason: string;
}

export interface FilledCart {
  readonly cart: Cart;
  readonly missing: readonly Missing[];
  /** How many of the order's medicines are in the cart now. */
  readonly found: number;
}

/**
 * Adds what is available from an earlier order to the cart, at today's prices; a larger quantity already there stays.
 *
 * @param records - the medicines as they are now
 * @param today - the clinic's date, 'yyyy-mm-dd'
 */
export function fillCart(
  cart: Cart,
  items: readonly OrderItem[],
  records: readonly WireMedicine[],
  today: string,
): FilledCart {
  const known = new Map(records.map((record) => [record.medicine.medicineId, readMedicine(record)]));
  const missing: Missing[] = [];
  let filled = cart;
  let found = 0;
  for (const { medicineId, name, quantity } of items) {
    const medicine = known.get(medicineId);
    const obstacle = medicine ? whyNotSellable(medicine, today) : 'No longer sold';
    if (!medicine || obstacle) {
      missing.push({ medicineId, name, reason: obstacle ?? 'No longer sold' });
      continue;
    }
    found += 1;
    filled = addToCart(filled, medicine);
    const had = filled.find((item) => item.medicineId === medicineId)?.quantity ?? 1;
    filled = setQuantity(
      filled.map((item) =>
        item.medicineId === medicineId ? { ...item, stock: medicine.quantity, limit: medicine.customerLimit } : item,
      ),
      medicineId,
      Math.max(had, quantity),
    );
    const { quantity: stock, customerLimit: limit = stock } = medicine;
    if (stock < quantity) missing.push({ medicineId, name, reason: `Only ${stock} of ${quantity} left` });
    else if (limit < quantity) missing.push({ medicineId, name, reason: `At most ${limit} at a time` });
  }
  return { cart: filled, missing, found };
}

/** Takes an order's items out of the cart again; those that were in it before get their former quantity. */
export function takeOut(cart: Cart, items: readonly OrderItem[], before: Cart): Cart {
  const filled = new Set(items.map(({ medicineId }) => medicineId));
  return cart.flatMap((item) => {
    if (!filled.has(item.medicineId)) return [item];
    const former = before.find(({ medicineId }) => medicineId === item.medicineId);
    return former ? [{ ...item, quantity: former.quantity }] : [];
  });
}
