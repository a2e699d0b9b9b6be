import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import webpack, { type Configuration } from 'webpack';
import { baseConfig } from './base-config.ts';

/** Globals of browsers, for which the bundle has stand-ins. */
const browserGlobals = ['document', 'location', 'localStorage', 'addEventListener', 'fetch'];

/** A bundle of pages for Node. */
export interface HtmlBundle {
  readonly code: string;
  /** Files that it was made of. */
  readonly sources: readonly string[];
}

/**
 * Bundles pages with everything they need, for a server that renders them. Of a module `x.tsx` it takes `x.html.tsx` where that
 * exists, and it leaves out what `import()` loads.
 *
 * @param folder - absolute path of the app's folder
 * @param name - name of the app
 * @param publicPath - where the gateway serves the app's files
 * @param entry - the bundle's first module: JavaScript, whose exports are the bundle's
 * @throws Error if it can't be built
 */
export async function bundleHtml(folder: string, name: string, publicPath: string, entry: string): Promise<HtmlBundle> {
  const compiler = webpack(htmlConfig(folder, name, publicPath, entry));
  if (!compiler) throw new Error('webpack needs a configuration');
  const stats = await new Promise<webpack.Stats>((resolve, reject) =>
    compiler.run((error, built) => (built ? resolve(built) : reject(error ?? new Error('nothing was built')))),
  );
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())));
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
  return {
    code: readFileSync(path.join(outputOf(folder), 'html.cjs'), 'utf8'),
    sources: [...stats.compilation.fileDependencies],
  };
}

/** Runs a bundle. @returns its exports */
export function runHtmlBundle(code: string): Readonly<Record<string, unknown>> {
  const module: { readonly exports: Record<string, unknown> } = { exports: {} };
  const run = compileFunction(code, ['module', 'exports', 'require'], { filename: 'html.cjs' }) as (
    ...given: unknown[]
  ) => void;
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

const outputOf = (folder: string): string => path.join(folder, '.cache/html');

function htmlConfig(folder: string, name: string, publicPath: string, entry: string): Configuration {
  const base = baseConfig(folder, name);
  const rules = base.module?.rules ?? [];
  return {
    name: `${name}, HTML`,
    context: folder,
    mode: 'production',
    target: 'node22',
    devtool: false,
    entry: { html: `data:text/javascript,${encodeURIComponent(entry)}` },
    output: {
      path: outputOf(folder),
      filename: 'html.cjs',
      publicPath,
      library: { type: 'commonjs2' },
      ...(base.output?.assetModuleFilename !== undefined && { assetModuleFilename: base.output.assetModuleFilename }),
    },
    resolve: {
      ...base.resolve,
      // Without streams, which nothing here uses.
      alias: { 'react-dom/server$': 'react-dom/server.edge' },
    },
    module: {
      parser: { javascript: { dynamicImportMode: 'weak' } },
      generator: { 'asset/resource': { emit: false } },
      rules: rules.map((rule) =>
        // The page's styles are in its stylesheets.
        rule && typeof rule === 'object' && rule.test instanceof RegExp && rule.test.test('x.css')
          ? { test: /\.css$/, type: 'asset/resource' }
          : rule,
      ),
    },
    plugins: [
      new webpack.NormalModuleReplacementPlugin(/\.[jt]sx?$/, takeStandIn),
      new webpack.ProvidePlugin(
        Object.fromEntries(browserGlobals.map((global) => [global, ['@clinic/app-kit/html-browser', global]])),
      ),
    ],
    cache: {
      ...(typeof base.cache === 'object' && base.cache),
      type: 'filesystem',
      name: 'html',
    },
    // What it becomes part of minimizes it.
    optimization: { minimize: false },
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
  };
}

interface Resolved {
  readonly contextInfo: { readonly issuer: string };
  /** Absent before the module is resolved. */
  readonly createData?: { resource?: string; request?: string; userRequest?: string };
}

/** The module that stands in for another one in HTML, if it exists. */
export const standInOf = (file: string): string => file.replace(/(?<!\.html)\.([jt]sx?)$/, '.html.$1');

/** A stand-in may import what it stands in for. */
function takeStandIn({ contextInfo: { issuer }, createData }: Resolved): void {
  const file = createData?.resource;
  if (!createData || file === undefined) return;
  const standIn = standInOf(file);
  if (standIn === file || standIn === issuer || !existsSync(standIn)) return;
  createData.resource = standIn;
  // The module's identity.
  createData.request = createData.request?.replace(file, standIn);
  createData.userRequest = createData.userRequest?.replace(file, standIn);
}
