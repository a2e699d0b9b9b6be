import type { MedicineRecord } from '@clinic/contracts';
import { readMedicine, type Medicine } from '../medicines/medicine.ts';

/** A medicine in the cart: what the visitor saw of it, and how many they want. */
export interface CartItem {
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly unit: string;
  /** 'yyyy-mm-dd' */
  readonly expiryDate: string;
  /** What the visitor was shown and agreed to, minor currency units for one unit. */
  readonly priceMinor: number;
  /** What it costs now, where that is another price: nothing is ordered at it until the visitor accepts it. */
  readonly newPriceMinor?: number;
  /** Units on hand when last heard of; the server has the last word. */
  readonly stock: number;
  /** Units that one customer may have on order; `undefined`: nobody said. */
  readonly limit?: number | undefined;
  /** Units wanted, at least 1. */
  readonly quantity: number;
}

export type Cart = readonly CartItem[];

export function isInCart(cart: Cart, medicineId: string): boolean {
  return cart.some((item) => item.medicineId === medicineId);
}

/** Adds one unit; a medicine that is in the cart stays as it is. */
export function addToCart(cart: Cart, { medicineId, name, manufacturer, unit, expiryDate, priceMinor, quantity, customerLimit: limit }: Medicine): Cart {
  if (isInCart(cart, medicineId)) return cart;
  return [...cart, { medicineId, name, manufacturer, unit, expiryDate, priceMinor, stock: quantity, limit, quantity: 1 }];
}

export function removeFromCart(cart: Cart, medicineId: string): Cart {
  return cart.filter((item) => item.medicineId !== medicineId);
}

/** Units that can be ordered at most: what is there, and what one customer may have. */
export function mostOf({ stock, limit = stock }: CartItem): number {
  return Math.min(stock, limit);
}

/** Sets how many units are wanted: whole, never below 1, never above what can be ordered. */
export function setQuantity(cart: Cart, medicineId: string, quantity: number): Cart {
  return cart.map((item) => (item.medicineId === medicineId ? { ...item, quantity: Math.max(1, Math.min(Math.trunc(quantity) || 1, mostOf(item))) } : item));
}

/** Takes over what the server says about stocks; what is wanted stays, so that the visitor decides what to do about it. */
export function noteStocks(cart: Cart, stocks: ReadonlyMap<string, number>): Cart {
  if (!cart.some(({ medicineId, stock }) => (stocks.get(medicineId) ?? stock) !== stock)) return cart;
  return cart.map((item) => ({ ...item, stock: stocks.get(item.medicineId) ?? item.stock }));
}

/**
 * Takes over what the pharmacy says now. A new price is noted beside the one that the visitor knows.
 *
 * @param records - medicines as they were just loaded
 * @param asked - ids of the medicines that were asked for by name: one without a record can't be had any more
 */
export function refreshCart(cart: Cart, records: readonly MedicineRecord[], asked: readonly string[] = []): Cart {
  const known = new Map(records.map((record) => [record.medicine.medicineId, readMedicine(record)]));
  const refreshed = cart.map((item): CartItem => {
    const now = known.get(item.medicineId);
    if (now) return withPrice({ ...item, name: now.name, unit: now.unit, expiryDate: now.expiryDate, stock: now.quantity, limit: now.customerLimit }, now.priceMinor);
    return asked.includes(item.medicineId) ? { ...item, stock: 0 } : item;
  });
  return JSON.stringify(refreshed) === JSON.stringify(cart) ? cart : refreshed;
}

/** Notes the prices that the server named when it refused an order. @param prices - minor currency units, by medicine id */
export function notePrices(cart: Cart, prices: ReadonlyMap<string, number>): Cart {
  return cart.map((item) => withPrice(item, prices.get(item.medicineId) ?? item.newPriceMinor ?? item.priceMinor));
}

function withPrice({ newPriceMinor: _old, ...item }: CartItem, priceMinor: number): CartItem {
  return priceMinor === item.priceMinor ? item : { ...item, newPriceMinor: priceMinor };
}

/** The visitor agrees to the new prices they were shown. @param shown - the cart as it was shown: a price that changed since is not agreed to */
export function acceptPrices(cart: Cart, shown: Cart): Cart {
  const agreed = new Map(shown.map(({ medicineId, newPriceMinor }) => [medicineId, newPriceMinor]));
  return cart.map(({ newPriceMinor, ...item }) => {
    const price = agreed.get(item.medicineId);
    return withPrice({ ...item, priceMinor: price ?? item.priceMinor }, newPriceMinor ?? item.priceMinor);
  });
}

/** Adds what a visitor gathered before they signed in; of a medicine in both carts the larger quantity stays, at the price seen last. */
export function adoptCart(cart: Cart, gathered: Cart): Cart {
  const others = gathered.filter(({ medicineId }) => !isInCart(cart, medicineId));
  const merged = cart.map((item) => {
    const same = gathered.find(({ medicineId }) => medicineId === item.medicineId);
    return same ? { ...same, quantity: Math.max(same.quantity, item.quantity) } : item;
  });
  return [...merged, ...others];
}

/** What an item costs now, minor currency units for one unit. */
export function priceNow({ priceMinor, newPriceMinor = priceMinor }: CartItem): number {
  return newPriceMinor;
}

/** At today's prices, in minor currency units. */
export function cartTotalMinor(cart: Cart): number {
  return cart.reduce((sum, item) => sum + priceNow(item) * item.quantity, 0);
}

/**
 * Reads a cart that an earlier visit left. Anything that isn't one of our items is dropped: the storage belongs to the
 * visitor, and to older versions of this page.
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
  return texts.every((text) => typeof text === 'string') && isCount(item.priceMinor, 0) && (item.newPriceMinor === undefined || isCount(item.newPriceMinor, 0)) && isCount(item.stock, 0) && (item.limit === undefined || isCount(item.limit, 1)) && isCount(item.quantity, 1);
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
