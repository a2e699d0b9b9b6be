import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root as repository } from '../stack/settings.ts';
import { UserError } from '../log.ts';
import { readDomain } from './domain.ts';

describe('a new domain', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'domain-'));
    mkdirSync(join(root, 'svc-billing'));
  });
  after(() => rmSync(root, { recursive: true }));

  it('only needs a name', () => {
    assert.deepEqual(readDomain(['lab-results'], root), {
      name: 'lab-results',
      title: 'Lab results',
      roles: ['admin'],
    });
    assert.deepEqual(readDomain(['ward2', '--title', 'Wards', '--roles', 'doctor, admin'], root), {
      name: 'ward2',
      title: 'Wards',
      roles: ['admin', 'doctor'],
    });
  });

  it('may have a repository of its own, in an empty folder outside', () => {
    const folder = join(root, '../dental-alone');
    const options = (...more: readonly string[]) =>
      readDomain(['dental', '--standalone', folder, ...more], root).standalone;
    assert.deepEqual(options('--registry', 'https://npm.example/kit'), {
      folder,
      registry: 'https://npm.example/kit/',
    });
    assert.deepEqual(options('--local'), { folder, registry: 'http://127.0.0.1:4873/' });
  });

  for (const [args, message] of [
    [[], /npm run new:domain/],
    [['a', 'b'], /npm run new:domain/],
    [['Lab'], /lower-case letters/],
    [['lab_results'], /lower-case letters/],
    [['2nd'], /lower-case letters/],
    [['../etc'], /lower-case letters/],
    [['x'.repeat(31)], /lower-case letters/],
    [['billing'], /The folder svc-billing already exists/],
    [['doctors'], /already an address of the product/],
    [['orders'], /already an address of the product/],
    ...['mf', 'live', 'demo', 'notifications', 'mailbox', 'messages', 'unsubscribe', 'deployments', 'gateway'].map(
      (name) => [[name], /already an address of the product/] as const,
    ),
    [['lab', '--roles', 'nurse'], /There is no role 'nurse'/],
    [['lab', '--title', "O'Neill"], /can't be a title/],
    [['lab', '--colour', 'red'], /--colour/],
    [['lab', '--standalone', join(repository, 'lab')], /is inside this repository/],
    [['lab', '--standalone', join(repository, 'scripts')], /is inside this repository/],
    [['lab', '--standalone', dirname(tmpdir())], /isn't empty/],
    [['lab', '--standalone', join(tmpdir(), 'lab-alone')], /Say which registry has the kit/],
    [['lab', '--standalone', join(tmpdir(), 'lab-alone'), '--registry', 'npm.example'], /can't be the registry/],
    [
      ['lab', '--standalone', join(tmpdir(), 'lab-alone'), '--registry', 'http://npm.example/'],
      /can't be the registry/,
    ],
    [
      ['lab', '--standalone', join(tmpdir(), 'lab-alone'), '--registry', 'https://me:pw@npm.example'],
      /can't be the registry/,
    ],
    [['lab', '--local'], /add --standalone FOLDER/],
  ] as const) {
    it(`is rejected as ${JSON.stringify(args.join(' '))}`, () => {
      assert.throws(
        () => readDomain(args, args.some((word) => word === '--standalone') ? repository : root),
        (error) => error instanceof UserError && message.test(error.message),
      );
    });
  }
});
