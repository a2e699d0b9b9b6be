import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onStop } from './process-group.ts';

let folder: string | undefined;

/** A new folder for temporary files, which is removed when the run ends, however it ends. */
export function scratchFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'clinic-test-'));
    folder = made;
    const remove = (): void => rmSync(made, { recursive: true, force: true });
    process.on('exit', remove);
    onStop(remove);
  }
  return mkdtempSync(join(folder, 'f-'));
}
