import type { readMedicine } from '../medicines/medicine.ts';

/** Describes medicines to search engines: in the page's HTML (use-product-facts.html.ts), which is what they read. */
export function useProductFacts(_rows: readonly Parameters<typeof readMedicine>[0][], _today: string): void {}
