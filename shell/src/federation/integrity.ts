import type { HashFile, Registry } from '@clinic/contracts/remotes';
import { loadLimitMs } from './time-limit.ts';

declare global {
  /** Expected hashes of files by URL, for the loaders of shell and remotes (see `IntegrityPlugin` of webpack-config). */
  // A property of the global object, which only `var` declares.
  // oxlint-disable-next-line no-var
  var clinicIntegrity: Digests | undefined;
}

/** A hash that no file has. */
const noFile = `sha256-${'A'.repeat(43)}=`;

/**
 * Expected hash of a URL. A file of this site that no build lists gets one that can't match, because browsers run scripts
 * without a hash unchecked.
 */
export class Digests extends Map<string, string> {
  /** Files with further hashes, by their URL: of every build that this page has known, as an earlier one may still run in it. */
  readonly files = new Map<string, () => Promise<void>>();

  /** @returns when the hash of a URL is known or can't be had; `undefined` if there is nothing to wait for */
  wait(href: string): Promise<void> | undefined {
    if (super.has(href)) return undefined;
    const files = [...this.files].filter(([file]) => href.startsWith(new URL('.', file).href));
    return files.length === 0 ? undefined : this.#seek(href, files.reverse());
  }

  /** @param files - the newest first */
  async #seek(href: string, files: readonly (readonly [string, () => Promise<void>])[]): Promise<void> {
    for (const [, load] of files) if (!this.has(href)) await load();
  }

  override get(href: string): string | undefined {
    return super.get(href) ?? (isFrontEndFile(new URL(href, location.href)) ? noFile : undefined);
  }
}

/** A developer's own build (`?remote-override=`) is on another origin, and runs unchecked. */
function isFrontEndFile({ origin, pathname }: URL): boolean {
  return origin === location.origin && /^\/(?:mf|shell)\//.test(pathname);
}

/** Expected hash of a file, e.g. `sha256-…`; empty for a developer's build without hashes. @param href - its full URL */
export function integrityOf(href: string): string {
  return globalThis.clinicIntegrity?.get(href) ?? '';
}

/** Adds the hashes of the shell's own first files from the page. */
export function knowOwnFiles(): void {
  const block = document.getElementById('integrity');
  if (!block?.textContent) return;
  const { hashes: file, integrity = '' } = block.dataset;
  know(
    '/shell/',
    JSON.parse(block.textContent) as Record<string, string>,
    file === undefined ? file : { file, integrity },
  );
}

/** Adds the hashes of remotes' files. Those of earlier builds stay: their loaders may still run in this page. */
export function knowRemotes({ remotes }: Registry): void {
  for (const { baseUrl, integrity, hashes } of remotes) know(baseUrl, integrity ?? {}, hashes);
}

/** Waits until the hashes of these URLs are known or can't be had. */
export async function hashesOf(hrefs: readonly string[]): Promise<void> {
  const wait = async (href: string): Promise<void> =>
    globalThis.clinicIntegrity?.wait(new URL(href, location.href).href);
  await Promise.all(hrefs.map(wait));
}

function know(baseUrl: string, files: Readonly<Record<string, string>>, rest?: HashFile): void {
  const known = (globalThis.clinicIntegrity ??= new Digests());
  for (const [file, digest] of Object.entries(files)) known.set(new URL(baseUrl + file, location.href).href, digest);
  if (!rest) return;
  const address = new URL(baseUrl + rest.file, location.href).href;
  if (!known.files.has(address)) known.files.set(address, loadOnce(baseUrl, rest));
}

/** Until it succeeds. */
function loadOnce(baseUrl: string, rest: HashFile): () => Promise<void> {
  let loading: Promise<void> | undefined;
  return () => {
    loading ??= load(baseUrl, rest).catch((error: unknown) => {
      loading = undefined;
      console.warn(`The hashes of ${baseUrl} could not be read`, error);
    });
    return loading;
  };
}

/** Adds the hashes in a file. Without it, the files that it is about aren't run. */
async function load(baseUrl: string, { file, integrity }: HashFile): Promise<void> {
  const answer = await fetch(baseUrl + file, { integrity, signal: AbortSignal.timeout(loadLimitMs) });
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  know(baseUrl, (await answer.json()) as Record<string, string>);
}
