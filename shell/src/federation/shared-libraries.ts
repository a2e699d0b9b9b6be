import * as appKit from '@clinic/app-kit';
import * as ui from '@clinic/ui';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { MissingExport } from './remote-error.ts';

/** Libraries that the shell provides to every remote, by the name under which remotes look for them. */
export const sharedLibraries = {
  react: provide(React.version, React),
  'react/jsx-runtime': provide(React.version, jsxRuntime),
  'react-dom': provide(React.version, ReactDOM),
  '@clinic/app-kit/basics': provide('1.0.0', complete('@clinic/app-kit', appKit)),
  '@clinic/ui/basics': provide('1.0.0', complete('@clinic/ui', ui)),
  // Only pages with lists, or that change something, load these.
  '@clinic/app-kit/records': provideOurs(
    '@clinic/app-kit/records',
    () => import(/* webpackChunkName: "records" */ '@clinic/app-kit/records'),
  ),
  '@clinic/ui/tables': provideOurs(
    '@clinic/ui/tables',
    () => import(/* webpackChunkName: "tables" */ '@clinic/ui/tables'),
  ),
  '@clinic/ui/charts': provideOurs(
    '@clinic/ui/charts',
    () => import(/* webpackChunkName: "charts" */ '@clinic/ui/charts'),
  ),
  'react-hook-form': provideLazily('7.92.0', () => import(/* webpackChunkName: "react-hook-form" */ 'react-hook-form')),
  // Our libraries as remotes of earlier releases know them.
  '@clinic/app-kit': provideOurs(
    '@clinic/app-kit',
    () => import(/* webpackChunkName: "whole-app-kit" */ '@clinic/app-kit/whole'),
  ),
  '@clinic/ui': provideOurs('@clinic/ui', () => import(/* webpackChunkName: "whole-ui" */ '@clinic/ui/whole')),
};

/** Properties that bundlers and promises probe on every module, whether they exist or not. */
const optional = new Set<string | symbol>(['default', 'then', '__esModule', '$$typeof']);

/**
 * A remote may have been built for a later shell. If it uses something this shell lacks, that is reported as a version
 * mismatch instead of an undefined value that breaks somewhere.
 *
 * @throws MissingExport if the library lacks the property that is read
 */
function complete<Library extends object>(name: string, library: Library): Library {
  return new Proxy(library, {
    get(target, key): unknown {
      if (!(key in target) && typeof key === 'string' && !optional.has(key))
        throw new MissingExport(`${name} has no ${key} in this shell`);
      return Reflect.get(target, key);
    },
  });
}

function provide(version: string, library: unknown) {
  return {
    version,
    lib: () => library,
    shareConfig: { singleton: true, requiredVersion: false as const, eager: true },
  };
}

function provideLazily(version: string, load: () => Promise<unknown>) {
  const get = async (): Promise<() => unknown> => {
    const library = await load();
    return () => library;
  };
  return { version, get, shareConfig: { singleton: true, requiredVersion: false as const } };
}

function provideOurs(name: string, load: () => Promise<object>) {
  return provideLazily('1.0.0', async () => complete(name, await load()));
}
