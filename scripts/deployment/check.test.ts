// Runs the commands against a small clinic whose parts change from test to test.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { publicationOf } from '@clinic/contracts/publication';
import type { RemoteDescriptor } from '@clinic/contracts/remotes';
import type { Deployed, RemoteUses, ShellProvides } from '@clinic/contracts/uses';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { remoteMayDeploy, serviceMayDeploy } from './check.ts';

const entry = 'var mf_dental;';
const digest = `sha384-${createHash('sha384').update(entry).digest('base64')}`;

const descriptor: RemoteDescriptor = {
  name: 'mf-dental',
  container: 'mf_dental',
  version: '1.0.0+1',
  contractVersion: 4,
  title: 'Dental',
  pages: [{ path: '/dash/dental', layout: 'dash', access: ['doctor'], title: 'Dental' }],
  redirects: [],
  entry: 'entry.js',
  preload: [],
  styles: [],
  integrity: { 'entry.js': digest },
};
const uses: RemoteUses = {
  contractVersion: 4,
  libraries: { react: { range: '^19.0.0', names: ['useState'] }, '@clinic/ui/basics': { names: ['Button'] } },
  calls: [{ id: 'listDoctors', service: 'clinic', method: 'GET', path: '/doctors' }],
};
const provides: ShellProvides = {
  contracts: { newest: 5, oldest: 4 },
  libraries: { react: { version: '19.3.1' }, '@clinic/ui/basics': { version: '1.0.0', names: ['Alert', 'Button'] } },
};
const { segments, calls } = publicationOf('clinic', '1.0.0', Object.entries(clinicCalls));
const deployed: Deployed = {
  contracts: { newest: 1, oldest: 1 },
  services: [{ name: 'clinic', version: '1.0.0', contractVersion: 1, segments, calls }],
  unknown: [],
};
const page = '<script src="/shell/main.1.js"></script>';

/** What the clinic answers, by path. */
let answers: Record<string, unknown> = {};
const server = createServer((req, res) => {
  const isVisitor = req.url === '/' && !req.headers.cookie?.includes('signed_in=1');
  const answer = isVisitor ? '<div id="page"></div>' : answers[req.url ?? ''];
  // Reading a service takes longer than an idle connection is kept.
  res.setHeader('Connection', 'close');
  if (answer === undefined) return void res.writeHead(404).end();
  const text = typeof answer === 'string';
  res.setHeader('Content-Type', text ? 'text/html' : 'application/json').end(text ? answer : JSON.stringify(answer));
});
const folder = mkdtempSync(join(tmpdir(), 'clinic-check-'));

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  rmSync(folder, { recursive: true });
  server.close();
});
beforeEach(() => {
  answers = {
    '/': page,
    '/shell/main.1.js': 'main();',
    '/shell/provides.json': provides,
    '/deployed.json': deployed,
    '/registry.json': { remotes: [], away: [] },
  };
  write({});
});

function write(build: { readonly descriptor?: object; readonly uses?: object; readonly entry?: string }): void {
  writeFileSync(join(folder, 'remote.json'), JSON.stringify({ ...descriptor, ...build.descriptor }));
  writeFileSync(join(folder, 'uses.json'), JSON.stringify({ ...uses, ...build.uses }));
  writeFileSync(join(folder, 'entry.js'), build.entry ?? entry);
}

/** What `npm run remote` or `npm run service` prints, and its exit code. */
async function run(
  mayDeploy: typeof remoteMayDeploy,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const clinic = clinicUrl();
  const { lines, exitCode } = await mayDeploy([...args, '--clinic', clinic]);
  return { code: exitCode, output: `${lines.join('\n')}\n`.replaceAll(clinic, 'CLINIC') };
}

const clinicUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const checkRemote = (): ReturnType<typeof run> => run(remoteMayDeploy, 'mf-dental', folder);

describe('npm run remote -- check', () => {
  test('accepts a build that fits, with exit code 0', async () => {
    const { code, output } = await checkRemote();
    assert.deepEqual(output.trim().split('\n'), [
      'contract   ok  version 4; the shell runs 4 and 5',
      'surface    ok  the shell has all 2 names that it imports',
      'libraries  ok  2 shared libraries fit',
      'calls      ok  the services offer all 1 calls that it makes',
      'addresses  ok  nobody else has any of its 1 pages',
      "budgets    ok  at most 0.1 kB of scripts and 0.0 kB of styles, with the shell's",
      'integrity  ok  1 files are as they were built',
      'mf-dental 1.0.0+1 may be deployed to CLINIC.',
    ]);
    assert.equal(code, 0);
  });

  test('names each fault, with exit code 1', async () => {
    write({
      descriptor: { contractVersion: 6 },
      uses: {
        libraries: {
          react: { range: '^20.0.0', names: [] },
          '@clinic/ui/basics': { names: ['Badge', 'Button'] },
          dnd: { names: [] },
        },
        calls: [
          { id: 'listTeeth', service: 'dental', method: 'GET', path: '/teeth' },
          { id: 'bookChair', service: 'clinic', method: 'POST', path: '/chairs' },
        ],
      },
      entry: `${entry}alert(1)`,
    });
    answers['/registry.json'] = {
      remotes: [{ ...descriptor, name: 'mf-teeth', pages: [{ path: '/dash/dental' }] }],
      away: [],
    };
    // Random bytes hardly compress.
    answers['/shell/main.1.js'] = randomBytes(200_000).toString('hex');
    const { code, output } = await checkRemote();
    const lines = output
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\w* +/, ''));
    assert.deepEqual(
      lines.filter((line) => line.startsWith('NO')).map((line) => line.replace(/\d+\.\d kB/, 'X kB')),
      [
        'NO  it was built for contract 6, and the shell runs 4 and 5: deploy the shell first',
        "NO  the shell's @clinic/ui/basics has no Badge",
        'NO  the shell shares react 19.3.1, and it accepts ^20.0.0',
        "NO  the shell doesn't share dnd",
        "NO  listTeeth (GET /teeth) is a call of dental, which isn't deployed",
        "NO  clinic doesn't offer bookChair (POST /chairs): deploy the service first",
        'NO  /dash/dental is a page of mf-teeth',
        'NO  /dash/dental loads X kB of scripts, at most 180',
        "NO  entry.js isn't the file that was built: its digest differs",
      ],
    );
    assert.match(output, /mf-dental 1\.0\.0\+1 must not be deployed to CLINIC: 9 faults\./);
    assert.equal(code, 1);
  });

  test('reports what it can’t check: a service that hasn’t published is no fault, a clinic that doesn’t answer is exit code 2', async () => {
    answers['/deployed.json'] = { ...deployed, services: [], unknown: ['clinic'] };
    const silent = await checkRemote();
    assert.match(silent.output, /^calls {6}\? {3}clinic hasn't answered the gateway yet$/m);
    assert.equal(silent.code, 0);
    delete answers['/deployed.json'];
    const command = [join(root, 'scripts/remote/main.ts'), 'check', 'mf-dental', folder, '--clinic', clinicUrl()];
    await assert.rejects(promisify(execFile)(process.execPath, command), {
      code: 2,
      stderr: `${clinicUrl()}/deployed.json answers 404, so what runs there is unknown.\n`,
    });
    rmSync(join(folder, 'remote.json'));
    await assert.rejects(checkRemote(), UserError);
  });
});

describe('npm run service -- check', () => {
  const remoteUsing = (call: object): void => {
    answers['/registry.json'] = { remotes: [{ ...descriptor, baseUrl: '/mf/mf-dental/' }], away: [] };
    answers['/mf/mf-dental/uses.json'] = { ...uses, calls: [call] };
  };

  test('accepts a service that keeps what deployed remotes use', async () => {
    remoteUsing({ id: 'listDoctors', service: 'clinic', method: 'GET', path: '/doctors' });
    const { code, output } = await run(serviceMayDeploy, 'svc-clinic');
    assert.match(output, /^calls {6}ok {2}it offers all 1 calls that deployed remotes make$/m);
    assert.match(output, /^svc-clinic \S+ may be deployed to CLINIC\.$/m);
    assert.equal(code, 0, output);
    // A function makes this service's definition.
    const { output: ofIdentity } = await run(serviceMayDeploy, 'svc-identity');
    assert.match(ofIdentity, /^svc-identity \S+ may be deployed to CLINIC\.$/m);
  });

  test('rejects a service that drops a call of a deployed remote, or needs a later gateway', async () => {
    remoteUsing({ id: 'getChair', service: 'clinic', method: 'GET', path: '/chairs/:id' });
    answers['/deployed.json'] = {
      ...deployed,
      contracts: { newest: 0, oldest: 0 },
      services: [{ name: 'dental', version: '1', contractVersion: 0, segments: ['doctors'], calls: [] }],
    };
    const { code, output } = await run(serviceMayDeploy, 'svc-clinic');
    for (const fault of [
      'it speaks contract 1, and the gateway accepts 0: deploy the gateway first',
      'mf-dental, which is deployed, makes getChair (GET /chairs/:id)',
      '/doctors belongs to dental',
    ])
      assert.ok(output.includes(`NO  ${fault}\n`), output);
    assert.equal(code, 1);
  });

  test('reports a remote whose build didn’t record what it uses', async () => {
    remoteUsing({});
    delete answers['/mf/mf-dental/uses.json'];
    const { code, output } = await run(serviceMayDeploy, 'svc-clinic');
    assert.match(output, /\? {3}mf-dental 1\.0\.0\+1 doesn't say which calls it makes/);
    assert.equal(code, 0);
  });
});
