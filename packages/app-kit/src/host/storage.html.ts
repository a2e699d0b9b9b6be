/** Servers keep nothing of visitors. */
export const readStorage = (): undefined => undefined;
export const writeStorage = (): boolean => false;
