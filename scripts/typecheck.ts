// `npm run typecheck`: checks every workspace with its own configuration.
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { root } from './stack/settings.ts';
import { workspacesWith } from './workspaces.ts';

const failed = ['scripts', 'system-tests', 'docker/tests', 'deploy/tests', ...workspacesWith('tsconfig.json')].filter(
  (folder) => {
    // Only what a change affects is checked again.
    const seen = join(root, '.cache', 'types', `${folder.replaceAll('/', '-')}.tsbuildinfo`);
    const { status } = spawnSync(
      join(root, 'node_modules', '.bin', 'tsc'),
      ['-p', folder, '--incremental', '--tsBuildInfoFile', seen],
      { cwd: root, stdio: 'inherit' },
    );
    return status !== 0;
  },
);
if (failed.length > 0) console.error(`Type errors in ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
