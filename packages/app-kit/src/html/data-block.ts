/** The part of Trusted Types (https://www.w3.org/TR/trusted-types/) in use here; TypeScript's DOM library has none of it. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScript: (text: string) => string },
  ): { readonly createScript: (text: string) => unknown };
}

/**
 * The name is listed in the gateway's content security policy. For data only: nothing but JSON becomes the text of a script
 * element.
 */
const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('data-blocks', {
  createScript: (text) => JSON.stringify(JSON.parse(text)),
});

/**
 * Adds a block of structured data to the page's head.
 *
 * @param type - media type of the data, e.g. `application/ld+json`
 * @returns a function that removes it
 */
export function addDataBlock(type: string, data: unknown): () => void {
  const block = document.createElement('script');
  block.type = type;
  const text = JSON.stringify(data);
  block.textContent = policy ? (policy.createScript(text) as string) : text;
  document.head.append(block);
  return () => block.remove();
}
