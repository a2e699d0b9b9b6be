import type { LaterFile, LaterFiles } from '@clinic/contracts/remotes';

/** The part of Trusted Types in use here (see `federation/script-address.ts`). */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (href: string) => string },
  ): { readonly createScriptURL: (href: string) => unknown };
}

const ownFiles = /^\/shell\/[\w.-]+\.js$/;

/** Time limit of the registry's request, milliseconds. */
const limitMs = 8_000;

/**
 * Loads the application's files, its registry and its data, all at the same time; what failed is requested again by the next
 * call.
 */
export function createFileLoader(): { readonly load: (files: LaterFiles) => Promise<void> } {
  const loaded = new Set<string>();
  let hasBegun = false;
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
    async load({ scripts, preloads, registry, calls = [] }) {
      if (!hasBegun) {
        hasBegun = true;
        for (const file of [...scripts, ...preloads]) preload(file);
        globalThis.clinicAnswers = new Map(calls.map((address) => [address, ask(address)]));
      }
      // The scripts read it when they run.
      if (registry !== undefined && !document.getElementById('registry')) await putRegistry(registry);
      await Promise.all(scripts.filter(({ href }) => !loaded.has(href)).map(run));
    },
  };
}

function preload({ href, integrity = '' }: LaterFile): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  link.setAttribute('integrity', integrity);
  link.href = href;
  document.head.append(link);
}

/** Makes a call for the application, which makes it again if this fails. */
async function ask(address: string): Promise<Response | undefined> {
  try {
    const answer = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(limitMs),
    });
    return answer.ok ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function putRegistry(address: string): Promise<void> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(limitMs) });
  if (!answer.ok) throw new Error(`The registry answers ${answer.status}`);
  // Not a script, whose text would have to be trusted.
  const block = document.createElement('template');
  block.id = 'registry';
  block.textContent = JSON.stringify(await answer.json());
  document.head.append(block);
}
