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
  /** Minor currency units for one unit. */
  readonly priceMinor: number;
  /** Units on hand when last heard of; the server has the last word. */
  readonly stock: number;
  /** Units wanted, at least 1. */
  readonly quantity: number;
}

export type Cart = readonly CartItem[];

export function isInCart(cart: Cart, medicineId: string): boolean {
  return cart.some((item) => item.medicineId === medicineId);
}

/** Adds one unit; a medicine that is in the cart stays as it is (specification section 4). */
export function addToCart(cart: Cart, { medicineId, name, manufacturer, unit, expiryDate, priceMinor, quantity }: Medicine): Cart {
  if (isInCart(cart, medicineId)) return cart;
  return [...cart, { medicineId, name, manufacturer, unit, expiryDate, priceMinor, stock: quantity, quantity: 1 }];
}

export function removeFromCart(cart: Cart, medicineId: string): Cart {
  return cart.filter((item) => item.medicineId !== medicineId);
}

/** Sets how many units are wanted: whole, never below 1, never above the stock. */
export function setQuantity(cart: Cart, medicineId: string, quantity: number): Cart {
  return cart.map((item) => (item.medicineId === medicineId ? { ...item, quantity: Math.max(1, Math.min(Math.trunc(quantity) || 1, item.stock)) } : item));
}

/** Takes over what the server says about stocks; what is wanted stays, so that the visitor decides what to do about it. */
export function noteStocks(cart: Cart, stocks: ReadonlyMap<string, number>): Cart {
  if (!cart.some(({ medicineId, stock }) => (stocks.get(medicineId) ?? stock) !== stock)) return cart;
  return cart.map((item) => ({ ...item, stock: stocks.get(item.medicineId) ?? item.stock }));
}

/** Takes over present prices and stocks from medicines that were just loaded. */
export function refreshCart(cart: Cart, records: readonly MedicineRecord[]): Cart {
  const known = new Map(records.map((record) => [record.medicine.medicineId, readMedicine(record)]));
  const stale = ({ medicineId, stock, priceMinor, expiryDate }: CartItem) => {
    const now = known.get(medicineId);
    return now !== undefined && (now.quantity !== stock || now.priceMinor !== priceMinor || now.expiryDate !== expiryDate);
  };
  if (!cart.some(stale)) return cart;
  return cart.map((item) => {
    const now = known.get(item.medicineId);
    return now ? { ...item, stock: now.quantity, priceMinor: now.priceMinor, expiryDate: now.expiryDate, name: now.name } : item;
  });
}

/** In minor currency units. */
export function cartTotalMinor(cart: Cart): number {
  return cart.reduce((sum, { priceMinor, quantity }) => sum + priceMinor * quantity, 0);
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
  return texts.every((text) => typeof text === 'string') && isCount(item.priceMinor, 0) && isCount(item.stock, 0) && isCount(item.quantity, 1);
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
