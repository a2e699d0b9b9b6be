import { useSession } from '@clinic/app-kit';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { adoptCart, readCart, type Cart } from './cart.ts';

/** Storage key of a visitor's cart; those of accounts add the account's key. */
export const visitorsCart = 'pharmacy-cart';

/** Days that an account's cart stays in a browser after its last change. */
const keptForDays = 30;

interface OpenCart {
  readonly cart: Cart;
  /** The stored text; `undefined`: it couldn't be stored. */
  readonly text: string | null | undefined;
}

/** Carts by storage key, as this page knows them. */
const open = new Map<string, OpenCart>();
const listeners = new Set<() => void>();

export interface OwnCart {
  readonly cart: Cart;
  /** Not known yet whose cart it is. */
  readonly loading: boolean;
  /** Changes the cart everywhere: on the page, in the browser's storage, and through it in other tabs. */
  readonly change: (change: (cart: Cart) => Cart) => void;
}

/**
 * The cart of the signed-in person, or the visitor's. It survives reloads and the detour to the login page. What was added
 * before the login joins the account's cart, and nobody who uses the browser later sees it.
 */
export function useCart(): OwnCart {
  const { user, loading } = useSession();
  const place = user ? `${visitorsCart}:${accountKey(user.email)}` : visitorsCart;
  useEffect(() => {
    if (place !== visitorsCart) adopt(place);
  }, [place]);
  const change = useCallback((by: (cart: Cart) => Cart) => changeCart(place, by), [place]);
  return { cart: useSyncExternalStore(subscribe, () => cartAt(place)), loading, change };
}

function cartAt(place: string): Cart {
  const known = open.get(place) ?? read(place, stored(place));
  open.set(place, known);
  return known.cart;
}

function changeCart(place: string, by: (cart: Cart) => Cart): void {
  const before = cartAt(place);
  const cart = by(before);
  if (cart === before) return;
  const text = JSON.stringify(place === visitorsCart ? cart : { changedAt: Date.now(), items: cart });
  open.set(place, { cart, text: store(place, text) ? text : undefined });
  notify();
}

/** Moves the visitor's cart to the account. */
function adopt(place: string): void {
  // Other tabs may have moved it while this page showed no cart.
  for (const each of [visitorsCart, place]) readAgain(each, stored(each));
  const gathered = cartAt(visitorsCart);
  if (gathered.length === 0) return;
  changeCart(place, (cart) => adoptCart(cart, gathered));
  changeCart(visitorsCart, () => []);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('storage', readOtherTab);
    forgetOldCarts();
    // Changes in other tabs were missed while no cart was shown.
    for (const place of open.keys()) readAgain(place, stored(place));
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', readOtherTab);
  };
}

/** Another tab changed a cart; without a key, the storage was cleared. */
function readOtherTab({ key }: StorageEvent): void {
  for (const place of key === null ? open.keys() : [key]) if (open.has(place)) readAgain(place, stored(place));
  notify();
}

/** An unchanged cart keeps its identity; one that couldn't be stored stays as this page knows it. */
function readAgain(place: string, text: string | null | undefined): void {
  const known = open.get(place);
  if (text !== undefined && known && known.text !== undefined && known.text !== text)
    open.set(place, read(place, text));
}

function read(place: string, text: string | null | undefined): OpenCart {
  if (place === visitorsCart || typeof text !== 'string') return { cart: readCart(text ?? null), text };
  return { cart: readCart(JSON.stringify(ownedCart(text)?.items ?? null)), text };
}

function ownedCart(text: string): { readonly changedAt: number; readonly items: unknown } | undefined {
  try {
    const { changedAt, items } = JSON.parse(text) as { readonly changedAt?: unknown; readonly items?: unknown };
    return typeof changedAt === 'number' ? { changedAt, items } : undefined;
  } catch (error) {
    console.warn('The stored cart is malformed', error);
    return undefined;
  }
}

/** Removes the carts of accounts that haven't been back for a month. */
function forgetOldCarts(): void {
  const oldest = Date.now() - keptForDays * 86_400_000;
  try {
    for (const place of Object.keys(localStorage).filter((key) => key.startsWith(`${visitorsCart}:`))) {
      if ((ownedCart(localStorage.getItem(place) ?? '')?.changedAt ?? 0) < oldest) localStorage.removeItem(place);
    }
  } catch (error) {
    console.warn('Old carts could not be removed', error);
  }
}

/** @returns `undefined` if the browser doesn't allow storage */
function stored(place: string): string | null | undefined {
  try {
    return localStorage.getItem(place);
  } catch (error) {
    console.warn('The stored cart could not be read', error);
    return undefined;
  }
}

/** @returns whether it was stored: if the storage is full or forbidden, the cart only lasts as long as the page */
function store(place: string, text: string): boolean {
  try {
    localStorage.setItem(place, text);
    return true;
  } catch (error) {
    console.warn('The cart could not be stored', error);
    return false;
  }
}

function notify(): void {
  for (const listener of listeners) listener();
}

/**
 * A short key for an account in the browser's storage, so that its email address isn't stored there. It only has to
 * distinguish accounts and protects no secret. FNV-1a, 64 bits.
 *
 * @param email - lower case
 */
function accountKey(email: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(email)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
