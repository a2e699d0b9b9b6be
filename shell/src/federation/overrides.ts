import { readStorage, writeStorage } from '@clinic/app-kit/host';
import type { RegisteredRemote, RemoteDescriptor } from '@clinic/contracts';
import type { RegistryStore } from './registry.ts';
import { withinLimit } from './time-limit.ts';

/** Where this browser stores its overrides: URLs of local builds by remote name. */
const storageKey = 'clinic:remote-overrides';

/** Query parameter that sets one: `?remote-override=mf-clinic@http://localhost:4102/`; without a URL it removes the override. */
const parameter = 'remote-override';

type Overrides = Readonly<Record<string, string>>;

/** A local build, or why it can't be used. */
type Described = { readonly name: string; readonly baseUrl: string } & (
  | { readonly remote: RegisteredRemote }
  | { readonly problem: string }
);

/**
 * Loads local builds of single remotes, for their developers. Off unless the gateway is started with
 * `REMOTE_OVERRIDES=true`, and always visible: a banner names each one. If a build can't be reached, the deployed one is
 * used.
 */
export async function applyOverrides(registry: RegistryStore): Promise<void> {
  const described = await Promise.all(Object.entries(remembered()).map(([name, baseUrl]) => describe(name, baseUrl)));
  if (described.length === 0) return;
  const remotes = described.flatMap((one) => ('remote' in one ? [one.remote] : []));
  const names = new Set(remotes.map(({ name }) => name));
  registry.adapt((published) => ({
    ...published,
    remotes: [...published.remotes.filter(({ name }) => !names.has(name)), ...remotes],
    away: published.away.filter((name) => !names.has(name)),
  }));
  showBanner(described);
}

function remembered(): Overrides {
  const overrides = new Map(Object.entries(JSON.parse(readStorage('localStorage', storageKey) ?? '{}') as Overrides));
  const address = new URL(location.href);
  for (const value of address.searchParams.getAll(parameter)) {
    const [, name = '', baseUrl = ''] = /^([a-z][a-z0-9-]*)@?(.*)$/.exec(value) ?? [];
    if (baseUrl === '') overrides.delete(name);
    else overrides.set(name, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  }
  writeStorage('localStorage', storageKey, JSON.stringify(Object.fromEntries(overrides)));
  if (address.searchParams.has(parameter)) {
    // A reload must not restore an override removed meanwhile, nor a copied link point somebody else at this build.
    address.searchParams.delete(parameter);
    history.replaceState(history.state, '', address);
  }
  return Object.fromEntries(overrides);
}

async function describe(name: string, baseUrl: string): Promise<Described> {
  try {
    const url = new URL('remote.json', baseUrl);
    // The content security policy enforces this too; here it gets a readable message.
    if (!['localhost', '127.0.0.1'].includes(url.hostname)) throw new Error('only builds on this machine are allowed');
    const answer = await withinLimit('remote.json', fetch(url, { cache: 'no-store' }));
    if (!answer.ok) throw new Error(`remote.json answers ${answer.status}`);
    return { name, baseUrl, remote: { ...((await answer.json()) as RemoteDescriptor), name, baseUrl } };
  } catch (error) {
    console.warn(`The local build of ${name} can not be used`, error);
    return { name, baseUrl, problem: error instanceof Error ? error.message : String(error) };
  }
}

function showBanner(described: readonly Described[]): void {
  const banner = document.createElement('aside');
  banner.setAttribute('aria-label', 'Local builds');
  banner.className =
    'sticky inset-x-0 bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning px-4 py-2 text-sm text-warning-content';
  for (const one of described) {
    const line = document.createElement('span');
    line.className = 'min-w-0 break-words';
    line.textContent =
      'problem' in one
        ? `${one.name}: no build at ${one.baseUrl} (${one.problem}). The deployed version is shown.`
        : `${one.name} ${one.remote.version} is a local build from ${one.baseUrl}`;
    banner.append(line);
  }
  const end = document.createElement('button');
  end.type = 'button';
  end.className = 'min-h-11 cursor-pointer font-semibold underline underline-offset-4';
  end.textContent = 'Go back to the deployed version';
  end.addEventListener('click', () => {
    writeStorage('localStorage', storageKey);
    location.reload();
  });
  banner.append(end);
  document.body.append(banner);
}
