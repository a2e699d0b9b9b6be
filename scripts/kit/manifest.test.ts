import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishedManifest, type WorkspaceManifest } from './manifest.ts';

const manifest: WorkspaceManifest = {
  name: '@clinic/shop-kit',
  version: '1.2.0',
  type: 'module',
  sideEffects: ['*.css'],
  exports: {
    '.': './src/index.ts',
    './*.css': './src/*.css',
    './*': './src/*.tsx',
    './preset': './preset/preset.json',
    './assets': { types: './assets.d.ts' },
  },
  bin: { shop: './src/cli.ts' },
  dependencies: { '@clinic/contracts': '1.2.0', express: '5.3.0', pino: '10.4.0' },
  devDependencies: { '@clinic/mongo-embedded': '1.2.0', '@types/express': '5.0.6', 'p-wait-for': '6.0.0' },
  peerDependencies: { react: '19.3.1' },
};

const publish = (imports: readonly string[]): object =>
  publishedManifest(manifest, {
    imports,
    shared: { '@testing-library/dom': '10.4.2', jest: '30.5.2' },
    files: ['dist', 'preset', 'assets.d.ts'],
  });

describe('the manifest of a published package', () => {
  it('exports the built files, and makes libraries that may exist only once peer dependencies', () => {
    const imports = ['@clinic/contracts', '@clinic/mongo-embedded', '@testing-library/dom', 'express', 'pino', 'react'];
    assert.deepEqual(publish(imports), {
      name: '@clinic/shop-kit',
      version: '1.2.0',
      license: 'UNLICENSED',
      type: 'module',
      sideEffects: ['*.css'],
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './*.css': './dist/*.css',
        './*': { types: './dist/*.d.ts', default: './dist/*.js' },
        './preset': './preset/preset.json',
        './assets': { types: './assets.d.ts' },
      },
      bin: { shop: './dist/cli.js' },
      files: ['dist', 'preset', 'assets.d.ts'],
      engines: { node: '>=24' },
      dependencies: { '@clinic/contracts': '1.2.0', '@types/express': '5.0.6', pino: '10.4.0' },
      peerDependencies: {
        '@clinic/mongo-embedded': '1.2.0',
        '@testing-library/dom': '^10.4.2',
        express: '^5.3.0',
        react: '^19.3.1',
      },
      peerDependenciesMeta: {
        '@clinic/mongo-embedded': { optional: true },
        '@testing-library/dom': { optional: true },
      },
      publishConfig: { access: 'restricted' },
    });
  });

  it('is rejected if the package imports a library that no manifest names', () => {
    assert.throws(() => publish(['left-pad']), /@clinic\/shop-kit imports left-pad, which no package.json names/);
  });
});
