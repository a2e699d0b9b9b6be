// Only packages that package.json allows by name may run install scripts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from '../stack/settings.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-install-scripts-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function npm(args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, npm_config_update_notifier: 'false' },
  });
  return { status, output: stdout + stderr };
}

/** Packs a package whose install scripts each leave a file behind. @returns the archive, and where the file would be */
function pack(name: string): { readonly archive: string; readonly trace: string } {
  const source = join(folder, `source-of-${name}`);
  const trace = join(folder, `${name}-has-run`);
  mkdirSync(source);
  const script = `node -e "require('fs').appendFileSync('${trace}', 'x')"`;
  writeFileSync(
    join(source, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', scripts: { preinstall: script, install: script, postinstall: script } }),
  );
  const { status, output } = npm(['pack', '--silent', '--pack-destination', folder], source);
  assert.equal(status, 0, output);
  return { archive: join(folder, `${name}-1.0.0.tgz`), trace };
}

/**
 * A project with the same rules as this one that depends on a package.
 *
 * @param allowed - packages it allows in addition
 */
function project(name: string, archive: string, allowed: Readonly<Record<string, boolean>> = {}): string {
  const at = join(folder, name);
  mkdirSync(join(at, 'scripts'), { recursive: true });
  cpSync(join(root, '.npmrc'), join(at, '.npmrc'));
  cpSync(join(root, 'scripts/bootstrap.mjs'), join(at, 'scripts/bootstrap.mjs'));
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { allowScripts: object };
  writeFileSync(
    join(at, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { rogue: `file:${archive}` },
      allowScripts: { ...allowScripts, ...allowed },
    }),
  );
  // All projects have one lock file: they differ in what they allow.
  const [lock, own] = [folder, at].map((where) => join(where, 'package-lock.json')) as [string, string];
  if (existsSync(lock)) cpSync(lock, own);
  else {
    assert.equal(npm(['install', '--package-lock-only', '--ignore-scripts', '--offline'], at).status, 0);
    cpSync(own, lock);
  }
  return at;
}

test('a package that is not allowed runs nothing, however it is installed', (t) => {
  const { archive, trace } = pack('rogue');
  const isStrict =
    npm(['config', 'get', 'strict-allow-scripts', '--loglevel=error'], folder).output.trim() !== 'undefined';

  // Installed as by `npm start` and `npm test`, with any npm.
  const { status } = spawnSync(
    process.execPath,
    ['-e', "import('./scripts/bootstrap.mjs').then(({ ensureInstalled }) => ensureInstalled())"],
    { cwd: project('by-bootstrap', archive), encoding: 'utf8', env: { ...process.env, npm_config_offline: 'true' } },
  );
  assert.equal(status, isStrict ? 1 : 0);
  assert.ok(existsSync(join(folder, 'by-bootstrap/node_modules/rogue/package.json')));
  assert.equal(existsSync(trace), false);

  if (!isStrict) return t.skip('this npm does not know strict-allow-scripts');
  // Installed by hand.
  for (const command of ['install', 'ci', 'update', 'rebuild']) {
    const at = project(`by-${command}`, archive);
    if (command === 'rebuild') assert.equal(npm(['ci', '--ignore-scripts', '--offline'], at).status, 0);
    const { status: exitCode, output } = npm([command, '--offline'], at);
    assert.equal(exitCode, 1, `npm ${command}: ${output}`);
    assert.match(output, /ESTRICTALLOWSCRIPTS[^]*rogue@1\.0\.0/);
    assert.equal(existsSync(trace), false, command);
  }
  // Only our list stops it: the same package runs if it is allowed.
  assert.equal(npm(['ci', '--offline'], project('allowed', archive, { [`file:${archive}`]: true })).status, 0);
  assert.equal(readFileSync(trace, 'utf8'), 'xxx');
});

test('every package with install scripts is allowed or denied by name, and only Node itself is allowed', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly hasInstallScript?: boolean }>;
  };
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  );
  assert.deepEqual([...new Set(withScripts)].toSorted(), Object.keys(allowScripts).toSorted());
  assert.deepEqual(
    Object.keys(allowScripts).filter((name) => allowScripts[name]),
    ['node'],
  );
});

test('images are built without install scripts, from an image that can be pinned', () => {
  const files = globSync(['*/Dockerfile', '{packages,stand-ins}/*/Dockerfile', 'docker/*/Dockerfile'], { cwd: root });
  assert.ok(files.length >= 8);
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const line of text.split('\n').filter((one) => /\bnpm (?:ci|install|i)\b/.test(one)))
      assert.match(line, / --ignore-scripts /, file);
    assert.match(text, /^ARG NODE_IMAGE=node:24-bookworm-slim$/m, file);
    const stages = new Set([...text.matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage));
    for (const [, from = ''] of text.matchAll(/^FROM (\S+)/gm))
      assert.ok(from === '${NODE_IMAGE}' || stages.has(from), `${file} is built from ${from}`);
  }
  // Images from a container registry can be pinned by digest, for each build and the database.
  for (const file of ['docker-compose.yml', 'docker-compose.embedded.yml']) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [line] of text.matchAll(/^ +build: .*$/gm))
      assert.match(
        line,
        /args: (?:\*images|\{ <<: \*images, FRONT_END: [\w-]+ \}|\{ NODE_IMAGE: '\$\{NODE_IMAGE:-node:24-bookworm-slim\}' \}) \}$/,
        `${file}: ${line}`,
      );
    for (const [line, image = ''] of text.matchAll(/^ +image: (\S+)$/gm))
      assert.match(image, /^\$\{(?:CLINIC_IMAGES|MONGO_IMAGE):-/, `${file}: ${line}`);
  }
});
