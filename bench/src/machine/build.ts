import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder, type Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Target in seconds until a saved change of a remote is built in watch mode. */
const rebuildTarget = 5;

/** The remote to change, and one of its files. */
const remote = 'mf-pharmacy';
const changedFile = 'src/setup.ts';

export const build: Area = {
  name: 'build',
  title: 'Building',
  within: 420,
  async run({ effort, say, after }) {
    const copy = temporaryFolder({ after }, 'build');
    copyTree(copy);
    const frontEnds = readdirSync(copy)
      .filter((name) => name === 'shell' || name.startsWith('mf-'))
      .sort();
    const rows: Row[] = [];
    const began = performance.now();
    // Two builds at a time, like `npm start` on two processors.
    const queue = effort < 1 ? [remote] : [...frontEnds];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const start = performance.now();
        await run(path.join(copy, next));
        rows.push({ what: `${next}, cold`, ours: { value: (performance.now() - start) / 1000, unit: 's' } });
      }
    };
    await Promise.all([worker(), worker()]);
    rows.sort((one, other) => one.what.localeCompare(other.what));
    rows.unshift({
      what: 'all front-ends, cold, two at a time',
      ours: { value: (performance.now() - began) / 1000, unit: 's' },
    });
    say(`changing ${remote} in watch mode …`);
    const again = await rebuilds(path.join(copy, remote), Math.max(2, Math.round(5 * effort)), after);
    rows.push({
      ...limited(`${remote}, a saved change in watch mode`, median(again), 's', rebuildTarget),
      chart: 'rebuild of a remote',
    });
    return { how: 'In a copy of the tree, without any cache.', rows };
  },
};

/** Copies the files tracked by git and links the dependencies: builds must not touch the tree in use. */
function copyTree(copy: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).split('\0');
  for (const file of files.filter((name) => name !== '' && !name.startsWith('bench/results/')))
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
  linkDependencies('', copy);
  for (const folder of globSync(['*', '{packages,stand-ins}/*'], { cwd: copy })) {
    if (folder !== 'node_modules') linkDependencies(folder, copy);
  }
}

/** Links of the repository's own packages point to the copy, all others to where they are installed. */
function linkDependencies(folder: string, copy: string): void {
  const from = path.join(root, folder, 'node_modules');
  const to = path.join(copy, folder, 'node_modules');
  let names: string[];
  try {
    names = readdirSync(from);
  } catch {
    // Most workspaces have no dependencies of their own.
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const name of names) {
    if (name === '.cache') continue;
    // Workspace links are relative to the tree, so copied links point into the copy.
    if (name === '@clinic')
      cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(path.join(from, name), path.join(to, name));
  }
}

async function run(folder: string): Promise<void> {
  const child = spawn(process.execPath, ['--run', 'build'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${folder} could not be built:\n${output}`);
}

async function rebuilds(folder: string, steps: number, after: (undo: () => unknown) => void): Promise<number[]> {
  const child = spawn(process.execPath, [path.join(root, 'packages/webpack-config/src/cli.ts'), 'watch'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  after(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });
  if (!child.stdout) throw new Error('The build has no output');
  const lines = createInterface({ input: child.stdout });
  const built = async (): Promise<void> => {
    const [line] = (await once(lines, 'line')) as [string];
    if (!line.includes(' built in ')) throw new Error(`The watching build printed: ${line}`);
  };
  await built();
  const seconds: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const done = built();
    const start = performance.now();
    appendFileSync(path.join(folder, changedFile), `\nexport const step${step} = ${step};\n`);
    await done;
    seconds.push((performance.now() - start) / 1000);
  }
  return seconds;
}
