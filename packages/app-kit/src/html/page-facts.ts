import type { PageFact } from '@clinic/contracts';
import { useEffect } from 'react';
import { addDataBlock } from './data-block.ts';

// Not shared by the shell: each remote bundles its own copy, so it also works in a shell that is older than this file.

/**
 * Describes what a page shows to search engines. In HTML that was rendered for them, the gateway writes it into the head.
 *
 * @param facts - descriptions by https://schema.org, without context
 */
export function usePageFacts(facts: readonly PageFact[]): void {
  const json = JSON.stringify(facts.map((fact) => ({ '@context': 'https://schema.org', ...fact })));
  // React would build the element from an HTML string, which the content security policy rejects.
  useEffect(() => addDataBlock('application/ld+json', JSON.parse(json)), [json]);
}
