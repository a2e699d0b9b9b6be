import { useConfig } from '@clinic/app-kit';

/** Explains the demo's two signs for one amount, as an end of a sentence; empty for a clinic with a currency (`CURRENCY`). */
export function useTwoSigns(): string {
  return useConfig().currency === undefined
    ? ' In this demo the store shows $ and orders show ৳ for the same amount.'
    : '';
}
