import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { RemoteUses, ShellProvides } from '@clinic/contracts/uses';
import webpack, { type Configuration } from 'webpack';
import { NoSchemasPlugin } from './no-schemas-plugin.ts';
import { ProvidesPlugin } from './provides-plugin.ts';
import { providedLibraries } from './shared-libraries.ts';
import { UsesPlugin } from './uses-plugin.ts';

/** Builds modules in an empty folder. @returns the folder; the build is in `dist` */
async function build(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  configuration: (folder: string) => Configuration,
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'clinic-uses-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: './index.mjs',
    output: { path: path.join(folder, 'dist') },
    ...configuration(folder),
  });
  await new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) => {
      const failed = error ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
      compiler.close((unclosed) => (failed || unclosed ? reject(failed ?? unclosed) : resolve()));
    }),
  );
  return folder;
}

const read = <Content>(folder: string, file: string): Content =>
  JSON.parse(readFileSync(path.join(folder, 'dist', file), 'utf8')) as Content;

test('a build records the names it imports from shared libraries and the calls it makes, including those of lazy parts', async (t) => {
  const folder = await build(
    t,
    {
      'index.mjs': `
        import { useCall, useConfig as config } from '@clinic/app-kit';
        import * as charts from '@clinic/ui/charts';
        import { unused } from './unused.mjs';
        import { clinicCalls } from './svc-clinic/src/contract/calls.ts';
        export const page = () => [useCall('listDoctors'), clinicCalls, config(), charts.BarChart, { bookAppointment: 1 }];
        export const more = () => import('./lazy.mjs');`,
      'lazy.mjs': `
        import { useState } from 'react';
        const add = 'addTooth';
        export const lazy = () => [useState(), add, 'noCallOfThisName'];`,
      'svc-clinic/src/contract/calls.ts': `export const clinicCalls = {
        listDoctors: { service: 'clinic', method: 'GET', path: '/doctors' },
        getProfiles: { service: 'clinic', method: 'GET', path: '/doc-pharma/:email' },
      };`,
      // It isn't part of the build.
      'unused.mjs': `import { Alert } from '@clinic/ui'; export const unused = () => [Alert, 'listUsers'];`,
    },
    () => ({
      externals: Object.fromEntries(
        ['react', '@clinic/app-kit', '@clinic/ui', '@clinic/ui/charts'].map((name) => [name, 'var {}']),
      ),
      optimization: { sideEffects: true },
      module: { rules: [{ test: /unused\.mjs$/, sideEffects: false }] },
      plugins: [
        new UsesPlugin({
          addTooth: {
            service: 'dental',
            method: 'POST',
            path: '/teeth',
            access: { kind: 'everyone' },
            status: 201,
            errors: [],
            summary: '',
          },
        }),
      ],
    }),
  );
  const { libraries, calls } = read<RemoteUses>(folder, 'uses.json');
  assert.deepEqual(libraries, {
    '@clinic/app-kit/basics': { names: ['useCall', 'useConfig'] },
    '@clinic/ui/charts': { names: ['BarChart'] },
    react: { range: '^19.0.0', names: ['useState'] },
  });
  // A property's name isn't a call.
  assert.deepEqual(calls, [
    { id: 'addTooth', service: 'dental', method: 'POST', path: '/teeth' },
    { id: 'listDoctors', service: 'clinic', method: 'GET', path: '/doctors' },
  ]);
});

test('the shell’s build records what it provides: names of ES modules, and versions', async (t) => {
  const packages = Object.values(providedLibraries);
  const fileOf = (name: string): string => `node_modules/${name}/index.mjs`;
  const folder = await build(
    t,
    {
      'package.json': '{}',
      'index.mjs': `${packages.map((name, at) => `import * as all${at} from '${name}';`).join('\n')}
        console.log(${packages.map((_name, at) => `all${at}`).join()});`,
      ...Object.fromEntries(
        packages.map((name) => [fileOf(name), `export const b = 1; export { c as a } from './c.mjs';`]),
      ),
      ...Object.fromEntries(packages.map((name) => [`node_modules/${name}/c.mjs`, 'export const c = 2, d = 3;'])),
      ...Object.fromEntries(
        ['react', 'react-dom', 'react-hook-form', '@clinic/app-kit', '@clinic/ui'].map((name) => [
          `node_modules/${name}/package.json`,
          JSON.stringify({ name, version: '4.5.6', sideEffects: false }),
        ]),
      ),
    },
    (root) => ({
      resolve: { alias: Object.fromEntries(packages.map((name) => [`${name}$`, path.join(root, fileOf(name))])) },
      plugins: [new ProvidesPlugin(root)],
    }),
  );
  const { libraries } = read<ShellProvides>(folder, 'provides.json');
  assert.deepEqual(Object.keys(libraries), Object.keys(providedLibraries));
  for (const [name, library] of Object.entries(libraries))
    assert.deepEqual(library, { version: '4.5.6', names: ['a', 'b'] }, name);
});

test('a page with the schemas of a service is not built, and says whose they are', async (t) => {
  const built = (pageImport: string): Promise<string> =>
    build(
      t,
      {
        'index.mjs': `import { rule } from './${pageImport}'; globalThis.page = rule();`,
        'rules.mjs': `export { rule } from './rule.mjs'; export { schema } from './schema.mjs';`,
        'rule.mjs': `export const rule = () => 1;`,
        'schema.mjs': `import { z } from 'zod'; export const rule = () => 1; export const schema = z.string();`,
        'node_modules/zod/index.js': `export const z = { string: () => Function('return 1') };`,
        'node_modules/zod/package.json': `{ "name": "zod", "type": "module", "exports": "./index.js" }`,
      },
      () => ({
        optimization: { sideEffects: true },
        module: { rules: [{ test: /schema\.mjs$/, sideEffects: false }] },
        plugins: [new NoSchemasPlugin()],
      }),
    );
  await built('rules.mjs');
  await assert.rejects(built('schema.mjs'), /schema\.mjs imports zod: move what pages need/);
});
