import { useConfig } from '@clinic/app-kit';
import { usePageFacts } from '@clinic/app-kit/page-facts';
import { readMedicine } from '../medicines/medicine.ts';
import { productFacts } from './product-facts.ts';

export function useProductFacts(rows: readonly Parameters<typeof readMedicine>[0][], today: string): void {
  const { currency } = useConfig();
  usePageFacts(rows.map((row) => productFacts(readMedicine(row), today, currency)));
}
