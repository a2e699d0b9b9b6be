import type { LaterFile, LaterFiles } from '@clinic/contracts/remotes';

/** The part of Trusted Types in use here (see `federation/script-address.ts`). */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (href: string) => string },
  ): { readonly createScriptURL: (href: string) => unknown };
}

const ownFiles = /^\/shell\/[\w.-]+\.js$/;

/** Loads the application's files; what failed is requested again by the next call. */
export function createFileLoader(): { readonly load: (files: LaterFiles) => Promise<void> } {
  const loaded = new Set<string>();
  const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('shell', {
    createScriptURL(href) {
      if (!ownFiles.test(href)) throw new TypeError('not a script of the shell');
      return href;
    },
  });

  function run({ href, integrity = '' }: LaterFile): Promise<void> {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.integrity = integrity;
      // In the order of the list, as `defer` does for scripts in the HTML.
      script.async = false;
      script.src = policy ? (policy.createScriptURL(href) as string) : href;
      script.onload = () => {
        loaded.add(href);
        resolve();
      };
      script.onerror = () => {
        script.remove();
        reject(new Error(`${href} did not load`));
      };
      document.head.append(script);
    });
  }

  return {
    async load({ scripts, preloads }) {
      const missing = scripts.filter(({ href }) => !loaded.has(href));
      if (loaded.size === 0) for (const file of preloads) preload(file);
      await Promise.all(missing.map(run));
    },
  };
}

function preload({ href, integrity = '', as }: LaterFiles['preloads'][number]): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = as;
  link.setAttribute('integrity', integrity);
  link.href = href;
  document.head.append(link);
}
