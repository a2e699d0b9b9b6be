import { newId } from '@clinic/app-kit';
import { keepInTab, storedInTab } from '../tab-storage.ts';

/** The running import is stored across reloads, so that the same file continues with the same keys. */
const storageKey = 'pharmacy-import';
const unstored = 'The running import could not be stored for a reload';

interface Run {
  readonly file: string;
  readonly id: string;
}

/** The import id of a file: that of an interrupted import with the same content, or a new one. */
export function importRunOf(text: string): string {
  const file = `${text.length}-${fingerprint(text)}`;
  const known = storedInTab(storageKey, isRun, 'The interrupted import could not be read');
  if (known?.file === file) return known.id;
  const run: Run = { file, id: newId() };
  keepInTab(storageKey, run, unstored);
  return run.id;
}

/** The import is done; the same file again is another import. */
export function forgetImportRun(): void {
  keepInTab(storageKey, null, unstored);
}

/** Identifies a file (FNV-1a); `crypto.subtle` isn't available over plain http. */
function fingerprint(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  return hash >>> 0;
}

function isRun(value: unknown): value is Run {
  const { file, id } = (value ?? {}) as Partial<Run>;
  return typeof file === 'string' && typeof id === 'string';
}
