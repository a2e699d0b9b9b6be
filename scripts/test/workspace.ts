// `npm test -w WORKSPACE [-- FILE … --name TEXT]`: the tests of one workspace, or some of them.
import { relative } from 'node:path';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { runFiles } from './run-files.ts';
import { selectFiles, testFiles, parseSelection } from './selection.ts';

try {
  const folder = relative(root, process.cwd());
  const selection = parseSelection(process.argv.slice(2), `npm test -w ${folder} -- [FILE …] [--name TEXT]`);
  const files = selectFiles(testFiles(folder), selection, process.cwd());
  process.exitCode = (await runFiles(files, selection)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
