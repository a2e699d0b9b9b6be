import { newId } from '@clinic/app-kit';
import { digestOf } from '@clinic/app-kit/digest';
import { keepInTab, storedInTab } from '../tab-storage.ts';

/** One attempt to order: repeating the same order sends the same key, so that a lost response never makes two orders of it. */
export interface OrderAttempt {
  /**
   * Digest of the order, without its date and prices: a price that changes after a lost response must not order twice. It outlives
   * a log-out, after which nothing here may tell an address.
   */
  readonly wish: string;
  readonly key: string;
  /** ISO instant of the first attempt. */
  readonly orderDate: string;
}

/** Survives a reload between the press and the response. */
const storageKey = 'pharmacy-order-attempt';
const unstored = 'The order in flight could not be stored for a reload';

let attempt: OrderAttempt | undefined;

/** The attempt for this order: the one in flight, or a new one. @param order - as JSON, without its date and prices */
export function attemptFor(order: string): OrderAttempt {
  const wish = digestOf(order);
  attempt ??= storedInTab(storageKey, isAttempt, 'The interrupted order could not be read');
  if (attempt?.wish !== wish) {
    attempt = { wish, key: newId(), orderDate: new Date().toISOString() };
    keepInTab(storageKey, attempt, unstored);
  }
  return attempt;
}

/** The order was placed: the next one gets a new key, even with the same items. */
export function forgetAttempt(): void {
  attempt = undefined;
  keepInTab(storageKey, null, unstored);
}

function isAttempt(value: unknown): value is OrderAttempt {
  if (typeof value !== 'object' || value === null) return false;
  const { wish, key, orderDate } = value as Partial<Record<keyof OrderAttempt, unknown>>;
  return typeof wish === 'string' && typeof key === 'string' && typeof orderDate === 'string';
}
