/** Stores a value for reloads of this tab. @param warning - for the log: without storage the value lasts as long as the page */
export function keepInTab(key: string, value: object | null, warning: string): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    console.warn(warning, error);
  }
}

/** Reads what {@link keepInTab} stored. @returns `undefined` if it isn't what it should be, or can't be read */
export function storedInTab<T>(key: string, isRight: (value: unknown) => value is T, warning: string): T | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isRight(value) ? value : undefined;
  } catch (error) {
    console.warn(warning, error);
    return undefined;
  }
}
