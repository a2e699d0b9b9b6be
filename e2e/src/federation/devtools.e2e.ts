import { expect } from '@playwright/test';
import type { Registry } from '@clinic/contracts';
import type { ShellProvides } from '@clinic/contracts/uses';
import { follow } from '../support/clinic.ts';
import { startApp, test } from '../support/first-use.ts';

/** What the Module Federation DevTools read. */
interface Federation {
  readonly __INSTANCES__: readonly {
    readonly options: {
      readonly name: string;
      readonly version?: string;
      readonly remotes: readonly { readonly name: string; readonly version?: string; readonly entry: string }[];
      readonly shared: Readonly<Record<string, readonly { readonly version: string; readonly loaded?: boolean }[]>>;
    };
  }[];
  readonly moduleInfo: Readonly<
    Record<
      string,
      {
        readonly version: string;
        readonly remoteEntry: string;
        readonly remotesInfo: Readonly<Record<string, { readonly matchedVersion: string }>>;
        readonly modules?: readonly { readonly moduleName: string }[];
        readonly shared: readonly { readonly sharedName: string; readonly version: string }[];
      }
    >
  >;
}

/** An exposed module's entry in `mf-manifest.json`, as far as it is compared here. */
interface Manifest {
  readonly name: string;
  readonly metaData: { readonly remoteEntry: { readonly name: string } };
  readonly exposes: readonly { readonly path: string; readonly assets: { readonly js: { readonly sync: string[] } } }[];
}

test('the DevTools see the host, its remotes with their versions, and the shared libraries', async ({
  page,
  baseURL,
}) => {
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
  await startApp(page);
  await follow(page, 'Main', 'Pharmacy');
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  const { remotes } = (await (await page.request.get('/registry.json')).json()) as Registry;
  const versionOf = (name: string): string => remotes.find((remote) => remote.name === name)?.version ?? '';
  const entryOf = (name: string): string =>
    `${baseURL}/mf/${name}/${remotes.find((remote) => remote.name === name)?.entry}`;

  const seen = await page.evaluate(() => {
    const { __INSTANCES__: instances, moduleInfo } = Reflect.get(globalThis, '__FEDERATION__') as Federation;
    const host = instances.find(({ options }) => options.name === 'shell')?.options;
    return {
      instances: instances.map(({ options }) => options.name).toSorted(),
      version: host?.version,
      remotes: host?.remotes.map(({ name, version, entry }) => ({ name, version, entry })),
      shared: Object.entries(host?.shared ?? {}).map(([name, versions]) => [
        name,
        versions.map(({ version }) => version),
      ]),
      shell: moduleInfo['shell'],
      moduleInfo: Object.fromEntries(
        Object.entries(moduleInfo).map(([key, { remoteEntry, modules }]) => [
          key,
          { remoteEntry, modules: modules?.map(({ moduleName }) => moduleName) },
        ]),
      ),
    };
  });

  expect(seen.instances).toEqual(['mf_pharmacy', 'mf_public', 'shell']);
  expect(seen.version).toMatch(/^main\.[0-9a-f]{20}\.js$/);
  expect(seen.remotes).toEqual([
    { name: 'mf_public', version: versionOf('mf-public'), entry: entryOf('mf-public') },
    { name: 'mf_pharmacy', version: versionOf('mf-pharmacy'), entry: entryOf('mf-pharmacy') },
  ]);
  const shared = Object.fromEntries(seen.shared) as Record<string, string[]>;
  // What the shell's build says about itself is what the host shares.
  const { libraries } = (await (await page.request.get('/shell/provides.json')).json()) as ShellProvides;
  expect(shared).toEqual(Object.fromEntries(Object.entries(libraries).map(([name, { version }]) => [name, [version]])));
  expect(Object.keys(shared)).toHaveLength(11);
  expect(shared['react']).toEqual([expect.stringMatching(/^19\.\d+\.\d+$/)]);
  expect(seen.shell?.remotesInfo).toEqual({
    mf_public: { matchedVersion: versionOf('mf-public') },
    mf_pharmacy: { matchedVersion: versionOf('mf-pharmacy') },
  });
  expect(seen.shell?.shared.map(({ sharedName, version }) => `${sharedName}@${version}`)).toContain(
    `react@${shared['react']?.[0]}`,
  );
  expect(seen.moduleInfo[`mf_public:${versionOf('mf-public')}`]).toEqual({
    remoteEntry: entryOf('mf-public'),
    modules: ['pages/home', 'pages/about', 'pages/services', 'pages/ourDoctors'],
  });
});

test('each remote publishes a manifest, which agrees with what it publishes to the gateway', async ({ request }) => {
  const { remotes } = (await (await request.get('/registry.json')).json()) as Registry;
  expect(remotes.length).toBeGreaterThanOrEqual(4);
  for (const { container, baseUrl, entry, pages, pagePreload } of remotes) {
    const manifest = (await (await request.get(`${baseUrl}mf-manifest.json`)).json()) as Manifest;
    expect([manifest.name, manifest.metaData.remoteEntry.name]).toEqual([container, entry]);
    for (const { path, expose } of pages) {
      const exposed = manifest.exposes.find((one) => one.path === expose);
      expect(exposed?.assets.js.sync.toSorted(), `${container} ${expose}`).toEqual(pagePreload?.[path]?.toSorted());
    }
  }
});
