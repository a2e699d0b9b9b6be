// What `npm start` and `npm test` install, and how they end.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './stack/settings.ts';

const program = `process.on('disconnect', () => {
  console.log('told');
  process.exit();
});
setInterval(() => {}, 1000);
console.log('ready', process.pid);
`;
let folder: string;
let project: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-bootstrap-'));
  project = join(folder, 'project');
  mkdirSync(join(project, 'scripts'), { recursive: true });
  for (const file of ['scripts/bootstrap.mjs', 'scripts/run.mjs']) cpSync(join(root, file), join(project, file));
  writeFileSync(join(project, 'program.mjs'), program);
  const manifest = {
    name: 'project',
    scripts: { program: 'node scripts/run.mjs program.mjs' },
    dependencies: { node: pack('node'), library: pack('library') },
    devDependencies: { tool: pack('tool') },
    allowScripts: { node: true },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  npm(['install', '--package-lock-only', '--offline'], project);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function npm(args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

/** Packs a package with a program where that of Node is. @returns its address in a manifest */
function pack(name: string): string {
  const source = join(folder, name);
  mkdirSync(join(source, 'bin'), { recursive: true });
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0', bin: 'bin/node' }));
  writeFileSync(join(source, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  npm(['pack', '--silent', '--pack-destination', folder], source);
  return `file:${join(folder, `${name}-1.0.0.tgz`)}`;
}

/** Installs. @returns what it said */
function install(what: 'application' | 'everything'): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', `import('./scripts/bootstrap.mjs').then(({ ensureInstalled }) => ensureInstalled('${what}'))`],
    { cwd: project, encoding: 'utf8', env: { ...process.env, npm_config_offline: 'true' } },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}
const has = (name: string): boolean => existsSync(join(project, 'node_modules', name, 'package.json'));

test('the start leaves the tools out, the tests add them beside what runs, and nothing is taken away again', () => {
  const lock = readFileSync(join(project, 'package-lock.json'), 'utf8');
  assert.match(install('application'), /Installing dependencies/);
  assert.deepEqual([has('library'), has('tool')], [true, false]);
  assert.equal(install('application'), '');

  const used = join(project, 'node_modules/library/used-by-a-running-program');
  writeFileSync(used, '');
  assert.match(install('everything'), /Installing what tests and tools use besides/);
  assert.deepEqual([has('library'), has('tool'), existsSync(used)], [true, true, true]);
  assert.equal(install('everything') + install('application'), '');
  assert.equal(readFileSync(join(project, 'package-lock.json'), 'utf8'), lock);

  // Another lock file, such as a branch's.
  writeFileSync(join(project, 'package-lock.json'), `${lock}\n`);
  assert.match(install('application'), /Installing dependencies/);
  assert.deepEqual([has('tool'), existsSync(used)], [true, false]);
});

test('what npm runs ends with it, even if it is killed', { timeout: 120_000 }, async (t) => {
  install('everything');
  const npmRun = spawn('npm', ['run', 'program'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const pid = (): number => Number(/^ready (\d+)$/m.exec(said)?.[1] ?? Number.NaN);
  t.after(() => said.includes('told') || process.kill(pid()));
  for await (const chunk of npmRun.stdout) {
    said += String(chunk);
    if (pid() > 0) npmRun.kill('SIGKILL');
  }
  assert.match(said, /^ready \d+\ntold$/m);
});
