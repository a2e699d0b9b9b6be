import { newId } from '@clinic/app-kit';

/** One try to order: the same wish repeated carries the same key, so that a lost answer never makes two orders of it. */
export interface OrderAttempt {
  /** The order as JSON, without its date and its prices: a price that changes after a lost answer must not order twice. */
  readonly wish: string;
  readonly key: string;
  /** ISO instant of the first try. */
  readonly orderDate: string;
}

/** It outlives a reload between the press and the answer. */
const storageKey = 'pharmacy-order-attempt';

let attempt: OrderAttempt | undefined;

/** The attempt at this wish: the one under way, or a new one. */
export function attemptFor(wish: string): OrderAttempt {
  attempt ??= stored();
  if (attempt?.wish !== wish) {
    attempt = { wish, key: newId(), orderDate: new Date().toISOString() };
    keep(JSON.stringify(attempt));
  }
  return attempt;
}

/** The order is made; the next one is another, even of the same things. */
export function forgetAttempt(): void {
  attempt = undefined;
  keep('null');
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(storageKey, text);
  } catch (error) {
    // Without storage the key still holds as long as the page does.
    console.warn('The order under way could not be kept for a reload', error);
  }
}

function stored(): OrderAttempt | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    return isAttempt(value) ? value : undefined;
  } catch (error) {
    console.warn('The order of before the reload could not be read', error);
    return undefined;
  }
}

function isAttempt(value: unknown): value is OrderAttempt {
  if (typeof value !== 'object' || value === null) return false;
  const { wish, key, orderDate } = value as Partial<Record<keyof OrderAttempt, unknown>>;
  return typeof wish === 'string' && typeof key === 'string' && typeof orderDate === 'string';
}
