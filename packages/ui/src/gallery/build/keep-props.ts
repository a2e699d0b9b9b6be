import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releasedProps, type Released } from '../changes.ts';
import { componentProps } from './component-props.ts';

const kit = join(import.meta.dirname, '../..');

/** Where the catalogue reads what the last release had. */
export const releasedFile = join(kit, 'gallery/released.json');

/** Stores the components' props with a release. @param release - its name, e.g. its date */
export async function keepProps(release: string, file = releasedFile, folder = kit): Promise<void> {
  const now = Object.entries(await componentProps(folder));
  const components = Object.fromEntries(now.map(([name, component]) => [name, releasedProps(component)]));
  await writeFile(file, `${JSON.stringify({ release, components } satisfies Released, null, 2)}\n`);
}
