/** The part of Trusted Types (https://www.w3.org/TR/trusted-types/) in use here; TypeScript's DOM library has none of it. */
interface PolicyFactory {
  createPolicy(name: string, rules: { readonly createScriptURL: (href: string) => string }): { readonly createScriptURL: (href: string) => unknown };
}

/** The name stands in the gateway's content security policy. */
const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('remote-entries', {
  createScriptURL(href) {
    if (!mayBeEntry(new URL(href))) throw new TypeError('a remote’s entry lies elsewhere');
    return href;
  },
});

/** The folders of remotes; a developer's own machine, where the content security policy allows that. */
function mayBeEntry({ origin, pathname, hostname }: URL): boolean {
  if (origin === location.origin) return pathname.startsWith('/mf/');
  return hostname === 'localhost' || hostname === '127.0.0.1';
}

/**
 * The address of a remote's entry in the form that `script.src` takes where browsers refuse strings.
 *
 * @throws TypeError when no remote's entry can be there
 */
export function scriptAddress(href: string): string {
  return policy ? (policy.createScriptURL(href) as string) : href;
}
