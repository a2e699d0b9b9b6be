import { newId } from '@clinic/app-kit';
import { digestOf } from '@clinic/app-kit/digest';
import { readStorage, writeStorage } from '@clinic/app-kit/storage';

/** One attempt at something: repeating it sends the same key, so that a lost response never makes two of it. */
export interface StoredAttempt {
  /** Digest of what is wanted. It outlives a log-out, after which nothing here may tell an address. */
  readonly wish: string;
  readonly key: string;
  /** ISO instant of the first attempt. */
  readonly orderDate: string;
}

/**
 * Attempts of which one at a time is in flight. That one survives a reload between the press and the response.
 *
 * @param storageKey - in this tab's storage; if the browser allows none, an attempt lasts as long as the page
 */
export function storedAttempts(storageKey: string) {
  let last: StoredAttempt | undefined;
  return {
    /** The attempt in flight if it wants the same, or a new one. @param wanted - all that distinguishes it from others */
    attemptFor(wanted: string): StoredAttempt {
      const wish = digestOf(wanted);
      last ??= readAttempt(readStorage('sessionStorage', storageKey));
      if (last?.wish !== wish) {
        last = { wish, key: newId(), orderDate: new Date().toISOString() };
        writeStorage('sessionStorage', storageKey, JSON.stringify(last));
      }
      return last;
    },
    /** It is done: the next attempt gets a new key, even at the same. */
    forget(): void {
      last = undefined;
      writeStorage('sessionStorage', storageKey);
    },
  };
}

function readAttempt(text = 'null'): StoredAttempt | undefined {
  try {
    const { wish, key, orderDate } = (JSON.parse(text) ?? {}) as Partial<Record<keyof StoredAttempt, unknown>>;
    if (typeof wish === 'string' && typeof key === 'string' && typeof orderDate === 'string')
      return { wish, key, orderDate };
  } catch (error) {
    console.warn('An interrupted attempt could not be read', error);
  }
  return undefined;
}
