import type { RegisteredRemote, Registry } from '@clinic/contracts';
import { knowRemotes } from './integrity.ts';

/** Time limit of a registry request, milliseconds. */
const limitMs = 8000;

/** The registry as the shell knows it: first from the page, then from the latest request to the gateway. */
export interface RegistryStore {
  readonly get: () => Registry;
  readonly find: (name: string) => RegisteredRemote | undefined;
  /** Requests the registry; concurrent callers share one request. @throws if there is no valid response */
  readonly refresh: () => Promise<Registry>;
  /** Transforms the gateway's registry, now and after each request. */
  readonly adapt: (change: (registry: Registry) => Registry) => void;
  /** @returns a function that ends the subscription */
  readonly subscribe: (listener: () => void) => () => void;
}

/** @param initial - the registry in the page */
export function createRegistryStore(initial: Registry): RegistryStore {
  let registry = initial;
  knowRemotes(initial);
  let published = initial;
  let adaptation = (unchanged: Registry): Registry => unchanged;
  let asking: Promise<Registry> | undefined;
  const listeners = new Set<() => void>();

  function apply(): void {
    const next = adaptation(published);
    if (JSON.stringify(next) === JSON.stringify(registry)) return;
    registry = next;
    knowRemotes(registry);
    for (const listener of listeners) listener();
  }

  return {
    get: () => registry,
    find: (name) => registry.remotes.find((remote) => remote.name === name),
    adapt(change) {
      adaptation = change;
      apply();
    },
    refresh() {
      asking ??= fetchRegistry().finally(() => {
        asking = undefined;
      });
      return asking.then((answer) => {
        published = answer;
        apply();
        return registry;
      });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The registry that the gateway wrote into the page, or an empty one. */
export function registryOfPage(): Registry {
  const text = document.getElementById('registry')?.textContent;
  return text ? (JSON.parse(text) as Registry) : { remotes: [], away: [] };
}

async function fetchRegistry(): Promise<Registry> {
  const answer = await fetch('/registry.json', { signal: AbortSignal.timeout(limitMs) });
  if (!answer.ok) throw new Error(`The registry answers ${answer.status}`);
  return (await answer.json()) as Registry;
}
