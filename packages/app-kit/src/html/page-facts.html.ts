import type { PageFact } from '@clinic/contracts';

let facts: readonly PageFact[] = [];

/** Notes the facts, which the gateway writes into the page's head. */
export function usePageFacts(described: readonly PageFact[]): void {
  facts = [...facts, ...described];
}

/** The facts since the last call. */
export function takeFacts(): readonly PageFact[] {
  const taken = facts;
  facts = [];
  return taken;
}
