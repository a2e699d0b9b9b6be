/** What the browser keeps for this site, or for this tab only. */
export type StorageName = 'localStorage' | 'sessionStorage';

/**
 * Reads a text from the browser's storage.
 *
 * @returns `undefined` if there is none, or if the browser allows no storage
 */
export function readStorage(storage: StorageName, key: string): string | undefined {
  try {
    return window[storage].getItem(key) ?? undefined;
  } catch (error) {
    console.warn(key, 'could not be read', error);
    return undefined;
  }
}

/**
 * Keeps a text in the browser's storage, or without a text removes it.
 *
 * @returns whether that worked: the browser may allow no storage, or it may be full
 */
export function writeStorage(storage: StorageName, key: string, text?: string): boolean {
  try {
    if (text === undefined) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    return true;
  } catch (error) {
    console.warn(key, 'could not be kept', error);
    return false;
  }
}
