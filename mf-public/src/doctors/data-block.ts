/** The part of Trusted Types (https://www.w3.org/TR/trusted-types/) in use here; TypeScript's DOM library has none of it. */
interface PolicyFactory {
  createPolicy(name: string, rules: { readonly createScript: (text: string) => string }): { readonly createScript: (text: string) => unknown };
}

/** The name stands in the gateway's content security policy. Data only: what is no JSON never becomes the text of a script element. */
const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('data-blocks', {
  createScript: (text) => JSON.stringify(JSON.parse(text)),
});

/**
 * Puts data for programs into the page's head.
 *
 * @param type - media type of the data, e.g. `application/ld+json`
 * @returns a function that takes it out again
 */
export function addDataBlock(type: string, data: unknown): () => void {
  const block = document.createElement('script');
  block.type = type;
  const text = JSON.stringify(data);
  block.textContent = policy ? (policy.createScript(text) as string) : text;
  document.head.append(block);
  return () => block.remove();
}
