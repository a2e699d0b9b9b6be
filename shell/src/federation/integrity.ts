import type { Registry } from '@clinic/contracts';

declare global {
  /** What files must be, by their whole address: the loaders of shell and remotes ask here (see `IntegrityPlugin` of webpack-config). */
  // A property of the global object, which only `var` declares.
  // oxlint-disable-next-line no-var
  var clinicIntegrity: Map<string, string> | undefined;
}

/** A digest that no file has. */
const noFile = `sha256-${'A'.repeat(43)}=`;

/** Digests by whole address. A file of this site that no build has named gets one that refuses it: browsers run a script without a digest unchecked. */
class Digests extends Map<string, string> {
  override get(href: string): string | undefined {
    return super.get(href) ?? (isFrontEndFile(new URL(href, location.href)) ? noFile : undefined);
  }
}

/** A developer's own build (`?remote-override=`) is elsewhere, and is run as it is. */
function isFrontEndFile({ origin, pathname }: URL): boolean {
  return origin === location.origin && /^\/(?:mf|shell)\//.test(pathname);
}

/** What a file of ours must be, e.g. `sha256-…`; empty for files of a developer's machine that say nothing. @param href - its whole address */
export function integrityOf(href: string): string {
  return globalThis.clinicIntegrity?.get(href) ?? '';
}

/** Takes over what the page says of the shell's own files. */
export function knowOwnFiles(): void {
  const text = document.getElementById('integrity')?.textContent;
  if (text) know('/shell/', JSON.parse(text) as Record<string, string>);
}

/** Takes over what remotes say of their files. What earlier builds said stays: their loaders may still run in this page. */
export function knowRemotes({ remotes }: Registry): void {
  for (const { baseUrl, integrity } of remotes) know(baseUrl, integrity ?? {});
}

function know(baseUrl: string, files: Readonly<Record<string, string>>): void {
  const known = (globalThis.clinicIntegrity ??= new Digests());
  for (const [file, digest] of Object.entries(files)) known.set(new URL(baseUrl + file, location.href).href, digest);
}
