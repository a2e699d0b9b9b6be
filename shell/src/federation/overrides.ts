import type { RegisteredRemote, RemoteDescriptor } from '@clinic/contracts';
import type { RegistryStore } from './registry.ts';

/** Where this browser remembers its overrides: addresses of local builds by the remote's name. */
const storageKey = 'clinic:remote-overrides';

/** Query parameter that sets one: `?remote-override=mf-clinic@http://localhost:4102/`; without an address it ends. */
const parameter = 'remote-override';

/**
 * Points the shell at local builds of single remotes, for their developers. Off unless the gateway is started with
 * `REMOTE_OVERRIDES=true`, and never silent: a banner names each one.
 */
export async function applyOverrides(registry: RegistryStore): Promise<void> {
  const overrides = remembered();
  const remotes = await Promise.all(Object.entries(overrides).map(([name, baseUrl]) => describe(name, baseUrl)));
  if (remotes.length === 0) return;
  const names = new Set(remotes.map(({ name }) => name));
  registry.adapt((said) => ({
    remotes: [...said.remotes.filter(({ name }) => !names.has(name)), ...remotes],
    away: said.away.filter((name) => !names.has(name)),
  }));
  showBanner(overrides);
}

function remembered(): Record<string, string> {
  const overrides = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, string>;
  for (const value of new URLSearchParams(location.search).getAll(parameter)) {
    const [name = '', address = ''] = value.split('@', 2);
    if (address === '') delete overrides[name];
    else overrides[name] = address.endsWith('/') ? address : `${address}/`;
  }
  localStorage.setItem(storageKey, JSON.stringify(overrides));
  return overrides;
}

async function describe(name: string, baseUrl: string): Promise<RegisteredRemote> {
  const answer = await fetch(new URL('remote.json', baseUrl), { cache: 'no-store' });
  if (!answer.ok) throw new Error(`${name}: ${baseUrl}remote.json answers ${answer.status}`);
  return { ...((await answer.json()) as RemoteDescriptor), name, baseUrl };
}

function showBanner(overrides: Record<string, string>): void {
  const banner = document.createElement('div');
  banner.setAttribute('role', 'status');
  banner.className = 'fixed inset-x-0 bottom-0 z-50 flex flex-wrap items-center justify-center gap-4 bg-warning p-2 text-warning-content';
  banner.append(`Local build: ${Object.entries(overrides).map(([name, url]) => `${name} from ${url}`).join(', ')}`);
  const end = document.createElement('button');
  end.type = 'button';
  end.className = 'underline';
  end.textContent = 'Back to what is deployed';
  end.addEventListener('click', () => {
    localStorage.removeItem(storageKey);
    location.assign(location.pathname);
  });
  banner.append(end);
  document.body.append(banner);
}
