import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { log, UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { bin, exec } from './exec.ts';
import { runFiles } from './run-files.ts';
import { testFiles, type TestFile, type Selection } from './selection.ts';

/** Whether the contract still keeps what remotes and services of earlier releases need. */
const contractTests = ['scripts/release/', 'packages/contracts/src/window/'];

/**
 * The folders of a domain's front-end and service; some domains have only one of them.
 *
 * @throws UserError if there is no such domain
 */
export function foldersOf(domain: string): string[] {
  const folders = [`mf-${domain}`, `svc-${domain}`].filter((folder) => existsSync(join(root, folder, 'package.json')));
  if (folders.length === 0)
    throw new UserError(`There is no domain ${domain}: neither mf-${domain} nor svc-${domain}.`);
  return folders;
}

/**
 * The tests of a domain's folders, and those of the contract. Browser tests start the whole application and aren't
 * among them.
 */
export function testsOf(folders: readonly string[]): TestFile[] {
  const prefixes = [...folders.map((folder) => `${folder}/`), ...contractTests];
  return testFiles().filter(({ path }) => prefixes.some((prefix) => path.startsWith(prefix)));
}

/**
 * Runs the checks of domains alone, as their pipelines do: types, lint, format, tests, and whether the contract holds.
 *
 * @returns whether all passed
 * @throws UserError if one doesn't exist
 */
export async function runDomains(domains: readonly string[], selection: Selection): Promise<boolean> {
  if (domains.length === 0) throw new UserError('Name a domain: npm test -- domain clinic');
  const folders = domains.flatMap(foldersOf);
  const checks = [
    ...folders.map((folder) => ({ name: `types of ${folder}`, file: 'tsc', args: ['--noEmit', '-p', folder] })),
    { name: 'lint', file: 'oxlint', args: ['--type-aware', '--deny-warnings', ...folders] },
    { name: 'format', file: 'oxfmt', args: ['--check', ...folders] },
  ];
  let passed = true;
  for (const { name, file, args } of checks) {
    const { ok } = await exec(bin(file), args, { quiet: true });
    log(`${name}: ${ok ? 'fine' : 'see above'}`);
    passed &&= ok;
  }
  const tested = await runFiles(testsOf(folders), { ...selection, words: folders });
  return passed && tested;
}
