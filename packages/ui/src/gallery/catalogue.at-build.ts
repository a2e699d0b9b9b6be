// Read from the sources while the shell is built: the code of the examples, and each component's props.
import { join } from 'node:path';
import { componentProps } from './build/component-props.ts';
import { exampleSources } from './build/example-sources.ts';

const kit = join(import.meta.dirname, '..');

/** Watched by the loader. @public */
export const folders = [kit];
export const sources = await exampleSources(join(import.meta.dirname, 'examples'));
export const components = await componentProps(kit);
