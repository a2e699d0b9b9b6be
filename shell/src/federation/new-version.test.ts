import { dismiss, notifications } from '@clinic/app-kit/host';
import type { Registry } from '@clinic/contracts';
import { remoteNamed } from '../testing/remotes.ts';
import { offerNewVersions } from './new-version.ts';
import { createRegistryStore } from './registry.ts';

const remote = (name: string, version: string) => remoteNamed(name, { version });

/** A page with mf-clinic 1 loaded and mf-admin not. @returns a function that delivers the gateway's next registry */
function openPage() {
  document.head.innerHTML = '<script src="/shell/main.aaaa.js" type="text/plain"></script>';
  const registry = createRegistryStore({ remotes: [remote('mf-clinic', '1'), remote('mf-admin', '1')], away: [] });
  offerNewVersions(registry, { versionOf: (name) => (name === 'mf-clinic' ? '1' : undefined) });
  return async (update: Partial<Registry> = {}): Promise<void> => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () =>
      Response.json({
        remotes: [remote('mf-clinic', '1'), remote('mf-admin', '1')],
        away: [],
        shell: 'main.aaaa.js',
        ...update,
      }),
    );
    await registry.refresh();
  };
}

const texts = () => notifications.get().map(({ text }) => text);

describe('the offer of a new version', () => {
  afterEach(() => {
    notifications.set([]);
    jest.restoreAllMocks();
  });

  it('appears for a new shell and for a new build of a loaded remote', async () => {
    const receive = openPage();
    await receive();
    expect(texts()).toEqual([]);
    await receive({ shell: 'main.bbbb.js' });
    expect(texts()).toEqual(['A new version is ready']);
    // Rolled back meanwhile: the loaded build is current.
    await receive();
    expect(texts()).toEqual([]);
    await receive({ remotes: [remote('mf-clinic', '2')] });
    expect(texts()).toEqual(['A new version is ready']);
  });

  it('doesn’t appear for a remote that isn’t loaded, or if the gateway doesn’t name the shell’s version', async () => {
    const receive = openPage();
    await receive({ remotes: [remote('mf-clinic', '1'), remote('mf-admin', '2')], shell: undefined });
    expect(texts()).toEqual([]);
  });

  it('isn’t repeated for a version it was dismissed for', async () => {
    const receive = openPage();
    await receive({ shell: 'main.bbbb.js' });
    const [offered] = notifications.get();
    dismiss(offered?.id ?? 0);
    offered?.action?.dismissed?.();
    await receive({ shell: 'main.bbbb.js', away: ['mf-billing'] });
    expect(texts()).toEqual([]);
    await receive({ shell: 'main.cccc.js' });
    expect(texts()).toEqual(['A new version is ready']);
  });
});
