/** The part of Trusted Types (https://www.w3.org/TR/trusted-types/) in use here; TypeScript's DOM library has none of it. */
export interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (href: string) => string },
  ): { readonly createScriptURL: (href: string) => unknown };
}

/** The name is listed in the gateway's content security policy. */
const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('remote-entries', {
  createScriptURL(href) {
    if (!mayBeEntry(new URL(href))) throw new TypeError('a remote’s entry lies elsewhere');
    return href;
  },
});

/** The folders of remotes, and a developer's own machine if the content security policy allows it. */
function mayBeEntry({ origin, pathname, hostname }: URL): boolean {
  if (origin === location.origin) return pathname.startsWith('/mf/');
  return hostname === 'localhost' || hostname === '127.0.0.1';
}

/**
 * The URL of a remote's entry in the form that `script.src` accepts if browsers reject strings.
 *
 * @throws TypeError if no remote's entry can be there
 */
export function scriptAddress(href: string): string {
  return policy ? (policy.createScriptURL(href) as string) : href;
}
