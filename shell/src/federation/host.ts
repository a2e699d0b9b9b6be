import * as appKit from '@clinic/app-kit';
import type { RegisteredRemote } from '@clinic/contracts';
import * as ui from '@clinic/ui';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import type { Exposed } from './remote-loader.ts';

/** Milliseconds until a remote's entry that doesn't arrive counts as away. */
const entryLimitMs = 8000;

/** How a library is offered in a share scope (webpack, Module Federation). */
interface SharedLibrary {
  readonly get: () => Promise<() => unknown> | (() => unknown);
  readonly from: string;
  readonly eager: boolean;
}

type ShareScope = Readonly<Record<string, Readonly<Record<string, SharedLibrary>>>>;

/** What a federation container offers (webpack, Module Federation, dynamic remotes). */
interface Container {
  readonly init: (scope: ShareScope) => Promise<void> | void;
  readonly get: (expose: string) => Promise<() => { readonly default: Exposed }>;
}

/** The libraries all remotes use; they bring none of them. */
const shareScope: ShareScope = {
  react: provide(React.version, React),
  'react/jsx-runtime': provide(React.version, jsxRuntime),
  'react-dom': provide(React.version, ReactDOM),
  '@clinic/app-kit': provide('1.0.0', appKit),
  '@clinic/ui': provide('1.0.0', ui),
  // Only pages with a form pay for it.
  'react-hook-form': {
    '7.92.0': {
      get: async () => {
        const library = await import(/* webpackChunkName: "react-hook-form" */ 'react-hook-form');
        return () => library;
      },
      from: 'shell',
      eager: false,
    },
  },
  // Only pages with figures pay for it.
  '@clinic/ui/charts': {
    '1.0.0': {
      get: async () => {
        const library = await import(/* webpackChunkName: "charts" */ '@clinic/ui/charts');
        return () => library;
      },
      from: 'shell',
      eager: false,
    },
  },
};

function provide(version: string, library: unknown): Record<string, SharedLibrary> {
  return { [version]: { get: () => () => library, from: 'shell', eager: true } };
}

/** Containers that are ready, by the address of their entry. */
const containers = new Map<string, Promise<Container>>();

/**
 * Loads what a remote exposes.
 *
 * @param expose - its name there, e.g. `./module`
 * @param again - whether an earlier try failed: its container is thrown away, whatever state it is in
 * @throws whatever the network or the remote's own code throws
 */
export async function loadModule({ container: name, baseUrl, preload }: RegisteredRemote, expose: string, again: boolean): Promise<Exposed> {
  const [entryFile] = preload;
  if (entryFile === undefined) throw new Error(`${name} names no entry`);
  const entry = new URL(baseUrl + entryFile, location.href);
  if (again) containers.delete(entry.href);
  let ready = containers.get(entry.href);
  if (!ready) {
    ready = openContainer(name, entry, again);
    containers.set(entry.href, ready);
  }
  const container = await ready;
  const factory = await container.get(expose);
  return factory().default;
}

async function openContainer(name: string, entry: URL, again: boolean): Promise<Container> {
  const url = new URL(entry);
  // A browser lets a second request for an address wait for the first, which may be the one that hangs.
  if (again) url.searchParams.set('again', String(Date.now()));
  // What an earlier try has left must not pass for the result of this one.
  Reflect.set(globalThis, name, undefined);
  await loadScript(url.href);
  const container = Reflect.get(globalThis, name) as Container | undefined;
  if (!container) throw new Error(`${entry.href} is no container named ${name}`);
  await container.init(shareScope);
  return container;
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const timer = setTimeout(() => end(new Error(`${url} did not arrive within ${entryLimitMs} ms`)), entryLimitMs);
    function end(error?: Error): void {
      clearTimeout(timer);
      script.remove();
      if (error) reject(error);
      else resolve();
    }
    script.addEventListener('load', () => end());
    script.addEventListener('error', () => end(new Error(`${url} could not be loaded`)));
    // Else errors of a script from a developer's machine would be unreadable.
    if (new URL(url).origin !== location.origin) script.crossOrigin = 'anonymous';
    script.src = url;
    document.head.append(script);
  });
}
