// `npm run typecheck`: checks every workspace with its own configuration.
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { root } from './stack/settings.ts';
import { typePrograms } from './type-programs.ts';

const failed = typePrograms().filter(({ name, config }) => {
  // Only what a change affects is checked again.
  const seen = join(root, '.cache', 'types', `${name}.tsbuildinfo`);
  const { status } = spawnSync(
    join(root, 'node_modules', '.bin', 'tsc'),
    ['-p', config, '--incremental', '--tsBuildInfoFile', seen],
    { cwd: root, stdio: 'inherit' },
  );
  return status !== 0;
});
if (failed.length > 0) console.error(`Type errors in ${failed.map(({ name }) => name).join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
