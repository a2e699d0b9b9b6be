import { useEffect } from 'react';
import type { readMedicine } from '../medicines/medicine.ts';

/**
 * Describes medicines to search engines: in the page's HTML (use-product-facts.html.ts), which is what they read. They leave with
 * the page.
 */
export function useProductFacts(_rows: readonly Parameters<typeof readMedicine>[0][], _today: string): void {
  useEffect(() => () => document.querySelectorAll('script[data-shown]').forEach((fact) => fact.remove()), []);
}
