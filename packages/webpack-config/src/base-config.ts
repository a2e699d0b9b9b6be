import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { fileName, servedAt } from './dev/development.ts';
import { IntegrityPlugin } from './integrity-plugin.ts';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import webpack, { type Configuration, type RuleSetRule, type WebpackPluginInstance } from 'webpack';

/** Whether this is watch mode, which makes readable, uncompressed builds. */
export const watching = process.env['WEBPACK_WATCH'] === 'true';

/** `.ts` in the repository, `.js` in the published kit. */
export const ownExtension = path.extname(import.meta.filename);

/** The tables of REST calls, of the session and of each domain: browsers need a small part of them. */
export const callTables =
  /[\\/](?:svc-[\w-]+[\\/]src[\\/]contract|contracts[\\/](?:src|dist)[\\/]session)[\\/](?:[\w-]+-)?calls\.[jt]s$/;

/** Supported browsers: those that Tailwind 4 requires. */
const targets = { chrome: '111', edge: '111', firefox: '128', safari: '16.4' };

/**
 * Configuration shared by shell and remotes.
 *
 * @param folder absolute path of the app's folder
 * @param name name of the app; keeps the chunks of several builds on one page separate
 */
export function baseConfig(folder: string, name: string): Configuration {
  return {
    name,
    context: folder,
    mode: watching ? 'development' : 'production',
    target: ['web', 'es2022'],
    // An eval devtool would need `unsafe-eval` in the Content-Security-Policy.
    devtool: watching ? 'source-map' : false,
    output: {
      path: path.join(folder, 'dist'),
      filename: `${fileName('[name]')}.js`,
      chunkFilename: `${fileName('[name]')}.js`,
      assetModuleFilename: 'assets/[name].[contenthash][ext]',
      uniqueName: name,
      crossOriginLoading: 'anonymous',
      // The gateway's Content-Security-Policy allows this name; where it doesn't, plain strings are accepted.
      trustedTypes: { policyName: name, onPolicyCreationFailure: 'continue' },
      // A chunk that hangs is an outage: fail while the visitor is still waiting.
      chunkLoadTimeout: 8000,
      clean: !watching,
    },
    resolve: { extensions: ['.ts', '.tsx', '.js'] },
    module: {
      rules: rulesOf(folder),
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: `${fileName('[name]')}.css`,
        chunkFilename: `${fileName('[name]')}.css`,
        ignoreOrder: true,
      }),
      new IntegrityPlugin(),
      ...(watching ? [] : [sourceMaps(path.dirname(folder)), ...compressions()]),
    ],
    optimization: {
      minimizer: minimizersBut(),
    },
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(folder, '.cache/webpack'),
      name: watching ? 'watch' : 'build',
      // webpack can't track the imports of a TypeScript configuration, so the cache is keyed by their content.
      version: digestOf(folder),
    },
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'warn' },
  };
}

function rulesOf(folder: string): RuleSetRule[] {
  return [
    {
      // The published kit is compiled for the newest engines only.
      test: /\.tsx?$|[\\/]node_modules[\\/]@clinic[\\/][\w-]+[\\/]dist[\\/].+\.js$/,
      loader: 'swc-loader',
      options: {
        env: { targets },
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: {
            react: { runtime: 'automatic', development: watching, ...(servedAt !== undefined && { refresh: true }) },
          },
        },
      },
    },
    { test: callTables, loader: path.join(import.meta.dirname, `call-table-loader${ownExtension}`) },
    { test: /[\\/]react-router[\\/]dist[\\/]/, loader: path.join(import.meta.dirname, `pure-loader${ownExtension}`) },
    {
      test: /\.css$/,
      sideEffects: true,
      use: [
        MiniCssExtractPlugin.loader,
        // Tailwind has already inlined the imports.
        { loader: 'css-loader', options: { import: false } },
        {
          loader: 'postcss-loader',
          options: { postcssOptions: { config: false, plugins: [['@tailwindcss/postcss', { base: folder }]] } },
        },
      ],
    },
    { test: /\.(svg|png|jpe?g|webp|avif|woff2)$/, type: 'asset/resource' },
  ];
}

/**
 * Writes the scripts' source maps to `maps/` beside `dist/`: they contain the sources, so they aren't served with the
 * build. The scripts don't refer to them; `npm run source` reads them, and `npm run dev` names them to the browser.
 *
 * @param repository - folder to which the maps' file names are relative
 */
export function sourceMaps(repository: string): WebpackPluginInstance {
  return new webpack.SourceMapDevToolPlugin({
    filename: '../maps/[file].map',
    append: false,
    test: /\.js$/,
    moduleFilenameTemplate: ({ absoluteResourcePath }: { absoluteResourcePath: string }) =>
      path.relative(repository, absoluteResourcePath),
  });
}

/** Minimizers of scripts and styles. @param exclude - names of files to leave alone */
export function minimizersBut(exclude?: RegExp): WebpackPluginInstance[] {
  return [
    new MinimizerPlugin({
      test: /\.(?:js|css)$/,
      // The second time shortens what the first one has inlined: 1.5 kB of a first visit.
      minify: [MinimizerPlugin.swcMinify, MinimizerPlugin.swcMinify, MinimizerPlugin.lightningCssMinify],
      extractComments: false,
      // swc has threads of its own; another process would load everything again.
      parallel: false,
      ...(exclude && { exclude }),
    }),
  ];
}

/** Writes `.br` and `.gz` versions of each file, so that servers don't compress at run time. */
function compressions(): WebpackPluginInstance[] {
  const include = /\.(js|css|svg)$/;
  return [
    new CompressionPlugin<zlib.BrotliOptions>({
      filename: '[path][base].br',
      algorithm: 'brotliCompress',
      include,
      threshold: 512,
      compressionOptions: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } },
    }),
    new CompressionPlugin({
      filename: '[path][base].gz',
      algorithm: 'gzip',
      include,
      threshold: 512,
      compressionOptions: { level: 9 },
    }),
  ];
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const files = [
    ...globSync(path.join(import.meta.dirname, `{,dev/}*${ownExtension}`)),
    ...globSync(path.join(folder, '*.config.ts')),
    path.join(folder, 'package.json'),
    path.join(import.meta.dirname, '../package.json'),
  ];
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex');
}
