import { Digests } from './integrity.ts';
import { createRuntimePlugin } from './runtime-plugin.ts';

const plugin = createRuntimePlugin((container, expose) => ({
  scripts: [`/mf/${container}/${expose.slice(2)}.js`],
  styles: [`/mf/${container}/styles.css`],
}));
const missing = Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });

/** Asks the plugin for a module of a container that answers with these results in turn. */
async function getFrom(...results: readonly (Error | string)[]): Promise<{ module: unknown; requests: string[] }> {
  const requests: string[] = [];
  const get = async (expose: string): Promise<() => string> => {
    requests.push(expose);
    const result = results[requests.length - 1] ?? 'nothing left';
    if (result instanceof Error) throw result;
    return () => result;
  };
  type Asked = Parameters<NonNullable<typeof plugin.getModuleFactory>>[0];
  const request = { remoteEntryExports: { get }, expose: './pages/about' } as unknown as Asked;
  const factory = await Promise.resolve(plugin.getModuleFactory?.(request)).catch((error: unknown) => error);
  return { module: typeof factory === 'function' ? (factory as () => unknown)() : factory, requests };
}

describe('runtime plugin', () => {
  afterEach(() => {
    globalThis.clinicIntegrity = undefined;
  });

  it('gives a remote’s entry its digest, whatever its query, and a time limit', () => {
    globalThis.clinicIntegrity = new Digests([['http://localhost/mf/mf-public/entry.js', 'sha384-abc']]);
    const made = plugin.createScript?.({ url: 'http://localhost/mf/mf-public/entry.js?again=1', attrs: {} });
    const { script, timeout } = made as { script: HTMLScriptElement; timeout: number };
    expect([script.src, script.integrity, script.crossOrigin, timeout]).toEqual([
      'http://localhost/mf/mf-public/entry.js?again=1',
      'sha384-abc',
      null,
      8000,
    ]);
  });

  it('preloads the files of an exposed module with their digests', async () => {
    globalThis.clinicIntegrity = new Digests([['http://localhost/mf/mf_public/pages/about.js', 'sha384-def']]);
    type Args = Parameters<NonNullable<typeof plugin.generatePreloadAssets>>[0];
    const assets = await plugin.generatePreloadAssets?.({
      remoteInfo: { name: 'mf_public' },
      preloadOptions: { preloadConfig: { exposes: ['pages/about'] } },
    } as unknown as Args);
    expect(assets).toEqual({
      jsAssetsWithoutEntry: ['/mf/mf_public/pages/about.js'],
      cssAssets: ['/mf/mf_public/styles.css'],
      entryAssets: [],
    });
    const made = plugin.createLink?.({
      url: '/mf/mf_public/pages/about.js',
      attrs: { rel: 'preload', as: 'script' },
    }) as { link: HTMLLinkElement };
    expect([made.link.rel, made.link.getAttribute('as'), made.link.getAttribute('integrity')]).toEqual([
      'preload',
      'script',
      'sha384-def',
    ]);
  });

  it('requests the files of a module once more if one is missing, and only then', async () => {
    expect(await getFrom(missing, 'about')).toEqual({ module: 'about', requests: ['./pages/about', './pages/about'] });
    expect(await getFrom(missing, missing)).toEqual({ module: missing, requests: ['./pages/about', './pages/about'] });
    const broken = new TypeError('broken module');
    expect(await getFrom(broken, 'about')).toEqual({ module: broken, requests: ['./pages/about'] });
  });
});
