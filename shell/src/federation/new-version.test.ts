import { dismiss, notifications } from '@clinic/app-kit/host';
import { contractVersion, type RegisteredRemote, type Registry } from '@clinic/contracts';
import { offerNewVersions } from './new-version.ts';
import { createRegistryStore } from './registry.ts';

const remote = (name: string, version: string): RegisteredRemote => ({
  name, container: name.replace('-', '_'), version, contractVersion, title: name, pages: [], redirects: [], preload: [], styles: [], baseUrl: `/mf/${name}/`,
});

/** A page with mf-clinic 1 loaded and mf-admin not. @returns lets it hear what the gateway says then */
function openPage() {
  document.head.innerHTML = '<script src="/shell/main.aaaa.js" type="text/plain"></script>';
  const registry = createRegistryStore({ remotes: [remote('mf-clinic', '1'), remote('mf-admin', '1')], away: [] });
  offerNewVersions(registry, { versionOf: (name) => (name === 'mf-clinic' ? '1' : undefined) });
  return async (said: Partial<Registry> = {}): Promise<void> => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ remotes: [remote('mf-clinic', '1'), remote('mf-admin', '1')], away: [], shell: 'main.aaaa.js', ...said }));
    await registry.refresh();
  };
}

const texts = () => notifications.get().map(({ text }) => text);

describe('the offer of a new version', () => {
  afterEach(() => {
    notifications.set([]);
    jest.restoreAllMocks();
  });

  it('is made for a new shell and for a new build of what is loaded', async () => {
    const hear = openPage();
    await hear();
    expect(texts()).toEqual([]);
    await hear({ shell: 'main.bbbb.js' });
    expect(texts()).toEqual(['A new version is ready']);
    // Rolled back meanwhile: what is here is right.
    await hear();
    expect(texts()).toEqual([]);
    await hear({ remotes: [remote('mf-clinic', '2')] });
    expect(texts()).toEqual(['A new version is ready']);
  });

  it('is not made for a remote that has not been loaded, nor where the gateway does not say which shell there is', async () => {
    const hear = openPage();
    await hear({ remotes: [remote('mf-clinic', '1'), remote('mf-admin', '2')], shell: undefined });
    expect(texts()).toEqual([]);
  });

  it('is not repeated for a version that it was dismissed for', async () => {
    const hear = openPage();
    await hear({ shell: 'main.bbbb.js' });
    const [offered] = notifications.get();
    dismiss(offered?.id ?? 0);
    offered?.action?.dismissed();
    await hear({ shell: 'main.bbbb.js', away: ['mf-billing'] });
    expect(texts()).toEqual([]);
    await hear({ shell: 'main.cccc.js' });
    expect(texts()).toEqual(['A new version is ready']);
  });
});
