import type { RegisteredRemote } from '@clinic/contracts';
import type { FilesOfExpose } from './runtime-plugin.ts';

/** What an exposed module needs besides the entry. */
export function filesOf(remote: RegisteredRemote | undefined, expose: string): FilesOfExpose {
  if (!remote) return { scripts: [], styles: [] };
  const { baseUrl, pages, preload, pagePreload, styles } = remote;
  const page = pages.find((candidate) => candidate.expose === expose);
  const scripts = page ? (pagePreload?.[page.path] ?? []) : preload.slice(1);
  return { scripts: scripts.map((file) => baseUrl + file), styles: styles.map((file) => baseUrl + file) };
}

/**
 * Whether a chunk of the remote has loaded, according to webpack's list of them (its `output.uniqueName` is the
 * remote's name).
 */
export function hasChunks({ name }: RegisteredRemote): boolean {
  const chunks: unknown = Reflect.get(globalThis, `webpackChunk${name.replaceAll(/\W/g, '_')}`);
  return Array.isArray(chunks) && chunks.length > 0;
}

/**
 * Requests a remote's files, besides its entry, past the browser's cache: a request that hangs would delay later ones for the same URL, and a broken
 * response would be cached for a year.
 */
export async function fetchPastCache(addresses: readonly string[]): Promise<void> {
  const files = [...new Set(addresses)].map((address) => new URL(address, location.href).href);
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    // A file that never arrived must not be taken for one that did.
    if (files.includes(link.href) && !link.sheet) link.remove();
  }
  // A build's loader would wait for the tag of an earlier attempt, which may still hang.
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[src]')) {
    if (files.includes(script.src)) script.remove();
  }
  // Whatever needs the file reports what is wrong with it.
  await Promise.allSettled(
    files.map(async (file) => (await fetch(file, { cache: 'reload', credentials: 'omit' })).arrayBuffer()),
  );
}
