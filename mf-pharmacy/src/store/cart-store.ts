import { useSyncExternalStore } from 'react';
import { readCart, type Cart } from './cart.ts';

/** The cart outlives reloads and the way over the login page. */
const storageKey = 'pharmacy-cart';

let cart: Cart | undefined;
const listeners = new Set<() => void>();

function current(): Cart {
  cart ??= readCart(stored());
  return cart;
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch (error) {
    console.warn('The cart of the last visit could not be read', error);
    return null;
  }
}

/** Changes the cart everywhere: on the page, in the browser's storage, and through it in other tabs. */
export function changeCart(change: (cart: Cart) => Cart): void {
  const next = change(current());
  if (next === cart) return;
  cart = next;
  tell();
  try {
    localStorage.setItem(storageKey, JSON.stringify(next));
  } catch (error) {
    // Storage that is full or forbidden costs the cart's afterlife, not the cart.
    console.warn('The cart could not be kept for the next visit', error);
  }
}

export function useCart(): Cart {
  return useSyncExternalStore(subscribe, current);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('storage', readOtherTab);
    // Other tabs were not heard while nobody showed the cart; an unchanged one keeps its identity.
    const text = stored();
    if (cart && text !== null && text !== JSON.stringify(cart)) cart = readCart(text);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', readOtherTab);
  };
}

/** Another tab changed its cart, which is ours too. */
function readOtherTab({ key, newValue }: StorageEvent): void {
  if (key !== storageKey) return;
  cart = readCart(newValue);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
