import { newId } from '@clinic/app-kit';

/** The running import is stored across reloads, so that the same file continues with the same keys. */
const storageKey = 'pharmacy-import';

interface Run {
  readonly file: string;
  readonly id: string;
}

/** The import id of a file: that of an interrupted import with the same content, or a new one. */
export function importRunOf(text: string): string {
  const file = `${text.length}-${fingerprint(text)}`;
  const known = stored();
  if (known?.file === file) return known.id;
  const run: Run = { file, id: newId() };
  keep(JSON.stringify(run));
  return run.id;
}

/** The import is done; the same file again is another import. */
export function forgetImportRun(): void {
  keep('null');
}

/** Identifies a file (FNV-1a); `crypto.subtle` isn't available over plain http. */
function fingerprint(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  return hash >>> 0;
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(storageKey, text);
  } catch (error) {
    // Without storage the keys last as long as the page.
    console.warn('The running import could not be stored for a reload', error);
  }
}

function stored(): Run | undefined {
  try {
    const value = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Partial<Run> | null;
    return typeof value?.file === 'string' && typeof value.id === 'string'
      ? { file: value.file, id: value.id }
      : undefined;
  } catch (error) {
    console.warn('The interrupted import could not be read', error);
    return undefined;
  }
}
