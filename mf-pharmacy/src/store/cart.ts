import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import { readMedicine, type Medicine } from '../medicines/medicine.ts';

/** A medicine in the cart: what the visitor saw, and the quantity. */
export interface CartItem {
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly unit: string;
  /** 'yyyy-mm-dd' */
  readonly expiryDate: string;
  /** The price the visitor was shown and agreed to, in minor currency units for one unit. */
  readonly priceMinor: number;
  /** The current price, if it differs: nothing is ordered at it until the visitor accepts it. */
  readonly newPriceMinor?: number;
  /** Units in stock when last loaded; the server decides. */
  readonly stock: number;
  /** Units one customer may have on order; `undefined` if unknown. */
  readonly limit?: number | undefined;
  /** Only the counter sells it, as of when it was last loaded. */
  readonly prescriptionOnly?: boolean;
  /** Units requested, at least 1. */
  readonly quantity: number;
}

export type Cart = readonly CartItem[];

export function isInCart(cart: Cart, medicineId: string): boolean {
  return cart.some((item) => item.medicineId === medicineId);
}

/** Adds one unit; a medicine that is already in the cart stays unchanged. */
export function addToCart(
  cart: Cart,
  { medicineId, name, manufacturer, unit, expiryDate, priceMinor, quantity, customerLimit: limit }: Medicine,
): Cart {
  if (isInCart(cart, medicineId)) return cart;
  return [
    ...cart,
    { medicineId, name, manufacturer, unit, expiryDate, priceMinor, stock: quantity, limit, quantity: 1 },
  ];
}

export function removeFromCart(cart: Cart, medicineId: string): Cart {
  return cart.filter((item) => item.medicineId !== medicineId);
}

/** Puts a removed item back in its place. One that has been added again meanwhile stays as it is. */
export function putBack(cart: Cart, item: CartItem, place: number): Cart {
  return isInCart(cart, item.medicineId) ? cart : cart.toSpliced(place, 0, item);
}

/** Most units that can be ordered: limited by the stock and per customer. */
export function mostOf({ stock, limit = stock }: CartItem): number {
  return Math.min(stock, limit);
}

/** Sets the quantity: whole, never below 1, never above what can be ordered. */
export function setQuantity(cart: Cart, medicineId: string, quantity: number): Cart {
  return cart.map((item) =>
    item.medicineId === medicineId
      ? { ...item, quantity: Math.max(1, Math.min(Math.trunc(quantity) || 1, mostOf(item))) }
      : item,
  );
}

/** Applies the server's stock figures; the quantity stays, so that the visitor decides what to do. */
export function noteStocks(cart: Cart, stocks: ReadonlyMap<string, number>): Cart {
  if (!cart.some(({ medicineId, stock }) => (stocks.get(medicineId) ?? stock) !== stock)) return cart;
  return cart.map((item) => ({ ...item, stock: stocks.get(item.medicineId) ?? item.stock }));
}

/**
 * Applies the pharmacy's current records. A new price is noted beside the one the visitor knows.
 *
 * @param records - medicines as just loaded
 * @param asked - ids that were requested: one without a record is no longer available
 */
export function refreshCart(cart: Cart, records: readonly WireMedicine[], requested: readonly string[] = []): Cart {
  const known = new Map(records.map((record) => [record.medicine.medicineId, readMedicine(record)]));
  const refreshed = cart.map((item): CartItem => {
    const now = known.get(item.medicineId);
    if (now)
      return withPrice(
        {
          ...item,
          name: now.name,
          unit: now.unit,
          expiryDate: now.expiryDate,
          stock: now.quantity,
          limit: now.customerLimit,
          ...(now.prescriptionOnly || item.prescriptionOnly ? { prescriptionOnly: now.prescriptionOnly } : {}),
        },
        now.priceMinor,
      );
    return requested.includes(item.medicineId) ? { ...item, stock: 0 } : item;
  });
  return JSON.stringify(refreshed) === JSON.stringify(cart) ? cart : refreshed;
}

/** Marks what the server sells only at the counter. */
export function noteCounterOnly(cart: Cart, medicineIds: readonly string[]): Cart {
  return cart.map((item) => (medicineIds.includes(item.medicineId) ? { ...item, prescriptionOnly: true } : item));
}

/** Notes the prices in the server's rejection of an order. @param prices - minor currency units, by medicine id */
export function notePrices(cart: Cart, prices: ReadonlyMap<string, number>): Cart {
  return cart.map((item) => withPrice(item, prices.get(item.medicineId) ?? item.newPriceMinor ?? item.priceMinor));
}

function withPrice({ newPriceMinor: _old, ...item }: CartItem, priceMinor: number): CartItem {
  return priceMinor === item.priceMinor ? item : { ...item, newPriceMinor: priceMinor };
}

/** Accepts the new prices the visitor was shown. @param shown - the cart as shown: a price that changed since isn't accepted */
export function acceptPrices(cart: Cart, shown: Cart): Cart {
  const agreed = new Map(shown.map(({ medicineId, newPriceMinor }) => [medicineId, newPriceMinor]));
  return cart.map(({ newPriceMinor, ...item }) => {
    const price = agreed.get(item.medicineId);
    return withPrice({ ...item, priceMinor: price ?? item.priceMinor }, newPriceMinor ?? item.priceMinor);
  });
}

/**
 * Adds what a visitor collected before signing in; for a medicine in both carts the larger quantity stays, at the price seen
 * last.
 */
export function adoptCart(cart: Cart, gathered: Cart): Cart {
  const others = gathered.filter(({ medicineId }) => !isInCart(cart, medicineId));
  const merged = cart.map((item) => {
    const same = gathered.find(({ medicineId }) => medicineId === item.medicineId);
    return same ? { ...same, quantity: Math.max(same.quantity, item.quantity) } : item;
  });
  return [...merged, ...others];
}

/** The current price of an item, minor currency units for one unit. */
export function priceNow({ priceMinor, newPriceMinor = priceMinor }: CartItem): number {
  return newPriceMinor;
}

/** At current prices, in minor currency units. */
export function cartTotalMinor(cart: Cart): number {
  return cart.reduce((sum, item) => sum + priceNow(item) * item.quantity, 0);
}

/**
 * Reads a stored cart. Anything that isn't one of our items is dropped: the storage belongs to the visitor, and to older
 * versions of this page.
 */
export function readCart(text: string | null): Cart {
  if (text === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  const items = value.filter(isCartItem);
  return items.filter(({ medicineId }, index) => items.findIndex((other) => other.medicineId === medicineId) === index);
}

function isCartItem(value: unknown): value is CartItem {
  if (typeof value !== 'object' || value === null) return false;
  const item = value as Partial<Record<keyof CartItem, unknown>>;
  const texts = [item.medicineId, item.name, item.manufacturer, item.unit, item.expiryDate];
  return (
    texts.every((text) => typeof text === 'string') &&
    isCount(item.priceMinor, 0) &&
    (item.newPriceMinor === undefined || isCount(item.newPriceMinor, 0)) &&
    isCount(item.stock, 0) &&
    (item.limit === undefined || isCount(item.limit, 1)) &&
    isCount(item.quantity, 1)
  );
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
