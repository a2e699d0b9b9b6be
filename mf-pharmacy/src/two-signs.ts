import { useConfig } from '@clinic/app-kit';

/** Explains the two signs for one amount, as an end of a sentence; empty for a clinic with a currency (`CURRENCY`). */
export function useTwoSigns(): string {
  return useConfig().currency === undefined ? ' Prices are in $ in the store and in ৳ on orders.' : '';
}
