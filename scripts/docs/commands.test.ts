// Every command that a document names exists and takes its arguments; those that change nothing are run.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { standaloneManifest } from '../new-domain/standalone.ts';
import { root } from '../stack/settings.ts';
import { selectFiles, testFiles, parseSelection } from '../test/selection.ts';
import { commandsOfDocs, type Command } from './commands.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
const folders = globSync(['packages/*', 'stand-ins/*', 'shell', 'mf-*', 'svc-*', 'gateway', 'e2e', 'bench'], {
  cwd: root,
});
/** A workspace is named by its folder or its package. Made-up domains in examples have the template's scripts. */
const workspaces = new Map<string, string>([
  ...folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .flatMap((folder) => [[folder, folder] as const, [manifestOf(folder).name, folder] as const]),
  ['svc-lab-results', 'svc-clinic'],
  ['mf-lab-results', 'mf-clinic'],
]);
const standalone = standaloneManifest({ name: 'dental', title: 'Dental', roles: [] }, root, '1.0.0');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
// Pages write NAME where readers put their own.
const containers = new Set([
  ...[...compose.matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name]) => name ?? ''),
  'svc-NAME',
  'mf-NAME',
  // The example of a domain in a repository of its own.
  'svc-dental',
]);

/** Files named in a package's script. */
const filesIn = (script: string): string[] =>
  script.split(' ').filter((word) => /\.(ts|mjs|js|sh)$/.test(word) && !word.includes('*'));

function checkNpm({ words, file, isElsewhere }: Command): void {
  const rest = words.slice(1);
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const args = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  const at = own.indexOf('-w');
  const named = at === -1 ? undefined : own[at + 1];
  const positional = own.filter((word, index) => !word.startsWith('-') && (at === -1 || index !== at + 1));
  const [command = '', ...more] = positional;
  if (['install', 'ci', 'ls', 'outdated', 'rebuild', 'sbom', 'config'].includes(command)) return;
  if (isElsewhere) {
    const script = command === 'run' ? (more[0] ?? '') : command;
    assert.ok(Object.hasOwn(standalone.scripts, script), `a domain's own repository has no script ${script}`);
    return;
  }
  // `npm run build` in the README of a part is that part's.
  const ofPart =
    command === 'run' && manifestOf('.').scripts?.[more[0] ?? ''] === undefined
      ? file.slice(0, file.lastIndexOf('/'))
      : '.';
  const folder = named === undefined ? ofPart : workspaces.get(named);
  assert.ok(folder !== undefined, `there is no workspace ${named}`);
  const script = command === 'run' ? more[0] : command;
  const text = manifestOf(folder).scripts?.[script ?? ''];
  assert.ok(text !== undefined, `${folder} has no script ${script}`);
  for (const path of filesIn(text))
    assert.ok(existsSync(join(root, folder, path)), `${path} of script ${script} is missing`);
  if (script === 'test' && folder === '.') {
    const kinds = ['typecheck', 'lint', 'unit', 'components', 'e2e', 'compose', 'claims', 'all'];
    const selection = parseSelection(args, '');
    const [first, ...domains] = selection.words;
    if (first === 'domain')
      assert.ok(domains.every((name) => workspaces.has(`mf-${name}`) || workspaces.has(`svc-${name}`)));
    else if (!selection.words.every((word) => kinds.includes(word)) || selection.name !== undefined)
      assert.ok(selectFiles(testFiles(), selection, root).length > 0);
  }
}

function checkScript([program = '', ...args]: readonly string[]): void {
  const path = join(root, program);
  accessSync(path, constants.X_OK);
  execFileSync('bash', ['-n', path]);
  const code = readFileSync(path, 'utf8');
  for (const option of args.filter((word) => word.startsWith('--')))
    assert.ok(code.includes(option), `${program} has no option ${option}`);
  for (const part of args.filter((word) => /^(svc|mf)-|^(gateway|shell)$/.test(word)))
    assert.ok(containers.has(part), `there is no container ${part}`);
}

function checkDocker([, command = '', ...args]: readonly string[]): void {
  if (command !== 'compose' || args.length === 0) return;
  const [verb = '', ...rest] = args.filter(
    (word, index) => !word.startsWith('-') && !['-f', '--index', '--profile'].includes(args[index - 1] ?? ''),
  );
  assert.ok(
    ['up', 'down', 'run', 'exec', 'logs', 'ps', 'stop', 'start', 'config', 'build', 'pull', 'cp', 'restart'].includes(
      verb,
    ),
    verb,
  );
  if (['run', 'exec'].includes(verb)) {
    assert.ok(containers.has(rest[0] ?? ''), `there is no container ${rest[0]}`);
    const path = rest.find((word) => word.endsWith('.ts'));
    const inside = (rest[0] ?? '').startsWith('svc-') && !path?.startsWith('packages/') ? (rest[0] ?? '') : '.';
    if (path !== undefined) assert.ok(existsSync(join(root, inside, path)), `${path} is missing`);
  }
  for (const file of args.filter(
    (word) => word.endsWith('.yml') && !word.includes('lab-results') && !word.includes('NAME'),
  ))
    assert.ok(existsSync(join(root, file)), `${file} is missing`);
}

describe('the commands of the documents', () => {
  const commands = commandsOfDocs();

  test('there are many, of every kind', () => {
    for (const program of ['npm', 'docker', 'docker/redeploy.sh'])
      assert.ok(commands.filter(({ words }) => words[0] === program).length >= 5, program);
  });

  for (const command of new Map(commands.map((each) => [`${each.file}: ${each.words.join(' ')}`, each])).values()) {
    test(`${command.file}: ${command.words.join(' ')}`, () => {
      const [program = ''] = command.words;
      if (program === 'npm') checkNpm(command);
      else if (program === 'docker') checkDocker(command.words);
      else if (program.endsWith('.sh')) checkScript(command.words);
      // Readers may have Node 20, which doesn't run TypeScript. Containers have the project's own Node.
      else if (program === 'node')
        assert.ok(/in a container|container the same command/i.test(lineOf(command)), 'give it an npm script');
    });
  }

  // Run by the reader's npm and Node. They need no network, leave nothing behind, and don't install anything first.
  for (const [words, says] of [
    [['run', 'licences'], undefined],
    [['run', 'source', '--', 'nothing'], /Name a place in a built script/],
    [['test', '-w', 'svc-clinic', '--', 'no-such-file'], /No test file has 'no-such-file'/],
    [['test', '-w', 'svc-clinic', '--', '--no-such-option'], /npm test -w svc-clinic -- \[FILE/],
  ] as const) {
    test(`npm ${words.join(' ')} ${says ? 'explains what it needs' : 'works'}`, { timeout: 120_000 }, async () => {
      const run = promisify(execFile)('npm', words, { cwd: root, env: readersEnvironment() });
      if (!says) return void (await run);
      await assert.rejects(run, ({ stdout, stderr }: { stdout: string; stderr: string }) => says.test(stdout + stderr));
    });
  }
});

/** The environment without what the project's own Node has put first. */
function readersEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.startsWith(join(root, 'node_modules')));
  const { NODE_TEST_CONTEXT: _nested, ...env } = process.env;
  return { ...env, PATH: path.join(':') };
}

/** The line of the document with the command. */
function lineOf({ file, text }: Command): string {
  return (
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .find((line) => line.includes(text)) ?? ''
  );
}
