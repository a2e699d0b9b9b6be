import type { Registry } from '@clinic/contracts';

declare global {
  /** Expected hashes of files by URL, for the loaders of shell and remotes (see `IntegrityPlugin` of webpack-config). */
  // A property of the global object, which only `var` declares.
  // oxlint-disable-next-line no-var
  var clinicIntegrity: Map<string, string> | undefined;
}

/** A hash that no file has. */
const noFile = `sha256-${'A'.repeat(43)}=`;

/**
 * Expected hash of a URL. A file of this site that no build lists gets one that can't match, because browsers run scripts
 * without a hash unchecked.
 */
class Digests extends Map<string, string> {
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

/** Adds the hashes of the shell's own files from the page. */
export function knowOwnFiles(): void {
  const text = document.getElementById('integrity')?.textContent;
  if (text) know('/shell/', JSON.parse(text) as Record<string, string>);
}

/** Adds the hashes of remotes' files. Those of earlier builds stay: their loaders may still run in this page. */
export function knowRemotes({ remotes }: Registry): void {
  for (const { baseUrl, integrity } of remotes) know(baseUrl, integrity ?? {});
}

function know(baseUrl: string, files: Readonly<Record<string, string>>): void {
  const known = (globalThis.clinicIntegrity ??= new Digests());
  for (const [file, digest] of Object.entries(files)) known.set(new URL(baseUrl + file, location.href).href, digest);
}
