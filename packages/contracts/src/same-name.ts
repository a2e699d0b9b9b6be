const names = new Intl.Collator('en', { sensitivity: 'base' });

export const tidyName = (name: string): string => name.trim().replaceAll(/\s+/g, ' ');

/** Compares names as people read them: whatever the case, the accents and the spaces. */
export const isSameName = (one: string, other: string): boolean => names.compare(tidyName(one), tidyName(other)) === 0;
