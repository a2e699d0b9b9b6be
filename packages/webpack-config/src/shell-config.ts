import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import webpack, { type Configuration } from 'webpack';
import { baseConfig, minimizersBut, ownExtension, watching } from './base-config.ts';
import { developedShell } from './dev/developed-shell.ts';
import { development } from './dev/development.ts';
import { bundleHtml, runHtmlBundle } from './html-bundle.ts';
import { type HtmlFrame, HtmlTemplatePlugin } from './html-template-plugin.ts';
import { ProvidesPlugin } from './provides-plugin.ts';
import { NoSchemasPlugin } from './no-schemas-plugin.ts';
import { lazyLibraries } from './shared-libraries.ts';

const routerFolder = path.resolve(
  fileURLToPath(import.meta.resolve('react-router/package.json')),
  '../dist',
  watching ? 'development' : 'production',
);

const infiniteQueries = path.resolve(
  fileURLToPath(import.meta.resolve('@tanstack/query-core/package.json')),
  '../build/modern/infiniteQueryBehavior.js',
);

/** The chunk with React. */
const reactFile = /^react\./;

/** Files of which each first visit needs nearly all. */
const firstFiles = /^(?:react|libraries|kit|main|mf-host)\.[^.]+\.js$/;

/**
 * Lets Chromium compile all of a file while it loads, beside the page's own work, instead of each function when it is first called
 * (https://github.com/WICG/explicit-javascript-compile-hints-file-based): a sixth of the work between a touch and its answer.
 */
const compiledAtOnce = new webpack.BannerPlugin({
  banner: '//# allFunctionsCalledOnLoad',
  raw: true,
  test: firstFiles,
  // After the minimizer, which would drop it, and before hashes and source maps.
  stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
});

/** Files besides one for each part. */
const sharedFiles: Extract<NonNullable<Configuration['optimization']>['splitChunks'], object>['cacheGroups'] = {
  // One file per lazy part: a second file with its libraries would be another sequential request.
  defaultVendors: false,
  // Only changes with a React release, so that visitors don't load it again after a shell deployment.
  react: {
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
    name: 'react',
    chunks: 'all',
    priority: 10,
  },
  // Neither does an ordinary release of the shell change these, so that a returning visitor needn't load them again.
  libraries: {
    test: /[\\/]node_modules[\\/](react-router|@tanstack)[\\/]/,
    name: 'libraries',
    chunks: ({ name }) => name === 'main',
    enforce: true,
    priority: 5,
  },
  kit: {
    test: /[\\/]packages[\\/](app-kit|ui|contracts)[\\/].+\.tsx?$/,
    name: 'kit',
    chunks: ({ name }) => name === 'main',
    enforce: true,
    priority: 5,
  },
};

/** Where the gateway serves the shell's files. */
const publicPath = '/shell/';

/**
 * Build configuration of the shell, which knows no remote's address; `dist` gets `index.html` from the template of that
 * name.
 *
 * @param folder absolute path of the shell's folder
 */
export function shellConfig(folder: string): Configuration {
  const config = deployedShell(folder);
  return development ? developedShell(config, development) : config;
}

function deployedShell(folder: string): Configuration {
  const base = baseConfig(folder, 'shell');
  return {
    ...base,
    entry: { main: './src/index.ts', start: './src/start/index.ts' },
    output: { ...base.output, publicPath },
    resolve: {
      ...base.resolve,
      alias: {
        // The router's package only exports its build with development warnings; the production build is next to it.
        'react-router$': path.join(routerFolder, 'index.mjs'),
        'react-router/dom$': path.join(routerFolder, 'dom-export.mjs'),
        // The kit has no infinite lists, and hands the query client to nobody who could have.
        [infiniteQueries]: false,
      },
    },
    optimization: {
      ...base.optimization,
      minimizer: [
        // The largest file of a first visit: terser makes it 0.8 KB smaller, but all others larger.
        new MinimizerPlugin({
          include: reactFile,
          minify: MinimizerPlugin.terserMinify,
          terserOptions: { ecma: 2022, compress: { passes: 2, inline: 0, reduce_funcs: false } },
          extractComments: false,
        }),
        ...minimizersBut(reactFile),
      ],
      splitChunks: { cacheGroups: sharedFiles },
    },
    plugins: [
      ...(base.plugins ?? []),
      // Removes from the federation runtime what this host doesn't use: Node.js, and manifests at run time.
      new webpack.DefinePlugin({
        ENV_TARGET: '"web"',
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true',
        FEDERATION_OPTIMIZE_NO_REMOTE: 'false',
        FEDERATION_OPTIMIZE_NO_SHARED: 'false',
        FEDERATION_BUILD_IDENTIFIER: '""',
      }),
      new webpack.NormalModuleReplacementPlugin(
        /\/generateSnapshotFromManifest\.js$/,
        path.join(import.meta.dirname, `no-manifests${ownExtension}`),
      ),
      new webpack.NormalModuleReplacementPlugin(
        /\/SnapshotHandler\.js$/,
        path.join(import.meta.dirname, `no-snapshots${ownExtension}`),
      ),
      compiledAtOnce,
      new NoSchemasPlugin(),
      new ProvidesPlugin(folder),
      pageOf(folder),
    ],
  };
}

function pageOf(folder: string): HtmlTemplatePlugin {
  return new HtmlTemplatePlugin({
    template: path.join(folder, 'index.html'),
    publicFolder: path.join(folder, 'public'),
    firstScript: path.join(folder, 'theme.js'),
    publicPath,
    preloadChunks: {
      remotes: 'mf-host',
      '/login': 'login',
      '/register': 'register',
      ...Object.fromEntries(lazyLibraries.map((library) => [library, path.basename(library)])),
    },
    firstChunks: ['auth', 'dash'],
    htmlChunks: ['later-icons'],
    frame: watching ? undefined : () => frameOf(folder),
  });
}

async function frameOf(folder: string): Promise<HtmlFrame> {
  const module = JSON.stringify(path.join(folder, 'src/html.tsx'));
  const { code, sources } = await bundleHtml(folder, 'shell', publicPath, `export { frame } from ${module};`);
  const { frame } = runHtmlBundle(code) as { readonly frame: () => string };
  return { html: frame(), sources };
}
