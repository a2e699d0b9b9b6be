import type { RemoteModule } from '@clinic/app-kit';
import { contractVersion, type Registry } from '@clinic/contracts';
import { remoteNamed } from '../testing/remotes.ts';
import { RemoteError } from './remote-error.ts';
import { createRegistryStore } from './registry.ts';
import { createRemoteLoader, type LoadModule } from './remote-loader.ts';

const remote = remoteNamed('mf-clinic', { title: 'Appointments' });
const garden: RemoteModule = { contractVersion, createRoutes: () => [] };

function loaderOf(loadModule: LoadModule, answer: Registry = { remotes: [remote], away: [] }) {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(answer));
  const registry = createRegistryStore({ remotes: [remote], away: [] });
  return createRemoteLoader({ registry, loadHost: async () => ({ loadModule }) });
}

describe('remote loader', () => {
  beforeEach(() => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('loads a remote once for all callers', async () => {
    const loadModule = jest.fn<ReturnType<LoadModule>, Parameters<LoadModule>>(async () => garden);
    const load = loaderOf(loadModule);
    expect(await Promise.all([load('mf-clinic'), load('mf-clinic')])).toEqual([garden, garden]);
    expect(await load('mf-clinic')).toBe(garden);
    expect(loadModule).toHaveBeenCalledTimes(1);
    expect(loadModule).toHaveBeenCalledWith(remote, './module', false);
  });

  it('retries with what the registry says by then', async () => {
    const renewed = { ...remote, version: '1.1.0', preload: ['entry.2.js'] };
    const loadModule = jest.fn<ReturnType<LoadModule>, Parameters<LoadModule>>(async ({ preload }) => {
      if (preload[0] === 'entry.js') throw new Error('404');
      return garden;
    });
    expect(await loaderOf(loadModule, { remotes: [renewed], away: [] })('mf-clinic')).toBe(garden);
    expect(loadModule.mock.calls).toEqual([
      [remote, './module', false],
      [renewed, './module', true],
    ]);
  });

  it('keeps a remote’s exposed modules apart: if one fails, the other still works', async () => {
    const loadModule = jest.fn<ReturnType<LoadModule>, Parameters<LoadModule>>(async (_remote, expose) => {
      if (expose === './slots/overview') throw new Error('404');
      return garden;
    });
    const load = loaderOf(loadModule);
    await expect(load('mf-clinic', './slots/overview')).rejects.toBeInstanceOf(RemoteError);
    expect(await load('mf-clinic')).toBe(garden);
    expect(loadModule.mock.calls).toEqual([
      [remote, './slots/overview', false],
      [remote, './slots/overview', true],
      [remote, './module', false],
    ]);
  });

  it('stays with the loaded version, and reports it as outdated once a file of it is gone', async () => {
    const renewed = { ...remote, version: '1.1.0', preload: ['entry.2.js'] };
    const requests: string[] = [];
    const load = loaderOf(
      async ({ version }, expose) => {
        requests.push(`${version} ${expose}`);
        if (expose === './slots/gone') throw new Error('404');
        return garden;
      },
      { remotes: [renewed], away: [] },
    );
    await load('mf-clinic');
    await expect(load('mf-clinic', './slots/gone')).rejects.toMatchObject({
      trouble: 'outdated',
      cause: new Error('404'),
    });
    await load('mf-clinic', './slots/overview');
    expect(requests).toEqual(['1.0.0 ./module', '1.0.0 ./slots/gone', '1.0.0 ./slots/gone', '1.0.0 ./slots/overview']);
    expect(load.versionOf('mf-clinic')).toBe('1.0.0');
  });

  it('doesn’t call it outdated while the registry can’t be reached', async () => {
    const load = loaderOf(async (_remote, expose) => {
      if (expose === './slots/gone') throw new Error('reset');
      return garden;
    });
    await load('mf-clinic');
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(load('mf-clinic', './slots/gone')).rejects.toMatchObject({ trouble: 'away' });
  });

  it('says which remote is unavailable, and doesn’t cache the failure', async () => {
    let up = false;
    const load = loaderOf(async () => {
      if (!up) throw new Error('reset');
      return garden;
    });
    const failure = await load('mf-clinic').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RemoteError);
    expect(failure).toMatchObject({ trouble: 'away', title: 'Appointments', cause: new Error('reset') });
    up = true;
    expect(await load('mf-clinic')).toBe(garden);
  });

  it('rejects a remote built for another contract version, whether registry or module says so', async () => {
    const other = { ...garden, contractVersion: contractVersion + 1 };
    await expect(loaderOf(async () => other)('mf-clinic')).rejects.toMatchObject({ trouble: 'incompatible' });
    const registry = createRegistryStore({ remotes: [{ ...remote, contractVersion: contractVersion + 1 }], away: [] });
    const loadHost = jest.fn();
    await expect(createRemoteLoader({ registry, loadHost })('mf-clinic')).rejects.toMatchObject({
      trouble: 'incompatible',
    });
    expect(loadHost).not.toHaveBeenCalled();
  });
});
