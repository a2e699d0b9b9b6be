import type { LaterFile, LaterFiles } from '@clinic/contracts/remotes';
import type { PolicyFactory } from '../federation/script-address.ts';

const ownFiles = /^\/shell\/[\w.-]+\.js$/;

/** Time limit of the registry's request, milliseconds. */
const limitMs = 8_000;

/**
 * Loads the application's files, its registry and its data, all at the same time; what failed is requested again by the next
 * call.
 */
export function createFileLoader(): { readonly load: (files: LaterFiles) => Promise<void> } {
  const running = new Map<string, Promise<void>>();
  let hasBegun = false;
  const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('shell', {
    createScriptURL(href) {
      if (!ownFiles.test(href)) throw new TypeError('not a script of the shell');
      return href;
    },
  });

  /** @param inOrder - as `defer` does for scripts in the HTML; otherwise it runs as soon as it has come */
  function insert({ href, integrity = '' }: LaterFile, inOrder: boolean): HTMLScriptElement {
    const script = document.createElement('script');
    script.integrity = integrity;
    script.async = !inOrder;
    script.src = policy ? (policy.createScriptURL(href) as string) : href;
    script.onerror = () => script.remove();
    document.head.append(script);
    return script;
  }

  function run(file: LaterFile): Promise<void> {
    const begun = running.get(file.href);
    if (begun) return begun;
    const script = insert(file, true);
    const ended = new Promise<void>((resolve, reject) => {
      script.onload = () => resolve();
      script.onerror = () => {
        running.delete(file.href);
        script.remove();
        reject(new Error(`${file.href} did not load`));
      };
    });
    running.set(file.href, ended);
    return ended;
  }

  return {
    async load({ scripts, preloads, registry, calls = [] }) {
      // Browsers have few connections, so the first requests are for what the application starts with.
      const registered =
        registry === undefined || document.getElementById('registry') ? undefined : putRegistry(registry);
      if (!hasBegun) {
        hasBegun = true;
        // A stylesheet that didn't load isn't there: the remote's loader requests it again, and says so if that fails.
        for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-href]'))
          if (!link.sheet) delete link.dataset['href'];
        for (const file of scripts) preload(file);
        for (const file of preloads) {
          preload(file, 'low');
          // The application loads it again if this fails.
          if (ownFiles.test(file.href)) insert(file, false);
        }
        globalThis.clinicAnswers = new Map(calls.map((address) => [address, ask(address)]));
      }
      const libraries = scripts.slice(0, -1).map((file) => run(file));
      // The last one reads the registry.
      const start = (): Promise<unknown> => Promise.all(scripts.slice(-1).map((file) => run(file)));
      await Promise.all([...libraries, registered ? registered.then(start) : start()]);
    },
  };
}

function preload({ href, integrity = '' }: LaterFile, priority: 'low' | 'auto' = 'auto'): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  link.fetchPriority = priority;
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
