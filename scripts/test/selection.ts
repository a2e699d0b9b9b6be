import { existsSync, globSync, readFileSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';

/** The tests that a developer selects. */
export interface Selection {
  /** Files, or parts of their paths. */
  readonly words: readonly string[];
  /** Part of a test's name. */
  readonly name?: string;
  /** Browser tests: in a phone's window instead of a desktop's. */
  readonly phone: boolean;
  /** Journeys: in Firefox instead of Chromium. */
  readonly firefox: boolean;
  /** Browser tests: in a visible window. */
  readonly headed: boolean;
  /** Waits for a debugger, or opens Playwright's. */
  readonly debug: boolean;
  /** The time at which the tests begin, if it isn't now. */
  readonly clock?: string;
}

/** The programs that run tests. */
type Runner = 'node' | 'jest' | 'playwright';

export interface TestFile {
  /** Relative to the root. */
  readonly path: string;
  readonly runner: Runner;
}

const help = `  FILE …          test files, or parts of their paths: book-appointment, svc-clinic/src/appointments
  --name TEXT     only the tests whose name contains the text (-t)
  --debug         wait for a debugger; browser tests open Playwright's
  --headed        browser tests in a window you can see
  --phone         browser tests in a phone's window
  --clock TIME    as if it were 2026-12-31T23:58 in the clinic, or 2026-12-31T23:58[UTC]; needs libfaketime
  --firefox       the journeys and the walk through all pages in Firefox`;

/**
 * @param usage - first line of the help
 * @throws UserError with the help, for an unknown option
 */
export function parseSelection(args: readonly string[], usage: string): Selection {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string', short: 't' },
        phone: { type: 'boolean', default: false },
        firefox: { type: 'boolean', default: false },
        headed: { type: 'boolean', default: false },
        debug: { type: 'boolean', default: false },
        clock: { type: 'string' },
      },
    });
    const { name, phone, firefox, headed, debug, clock } = values;
    return {
      words: positionals,
      phone,
      firefox,
      headed,
      debug,
      ...(name !== undefined && { name }),
      ...(clock !== undefined && { clock }),
    };
  } catch (error) {
    throw new UserError(`${(error as Error).message.split('. ')[0]}.\n\n${usage}\n${help}`);
  }
}

/** What `npm test` leaves to `npm test -- rest`: minutes for what few changes can break. */
const long: readonly string[] = [
  // The kit in a registry, and a domain made from it.
  'system-tests/src/kit/',
  // The data and services of a frozen release.
  'system-tests/src/upgrade/',
  // Short forms of what `npm run test:soak` does for longer, and killed services.
  'system-tests/src/soak/',
  'system-tests/src/day/',
  'system-tests/src/messages/killed-messages.',
  'system-tests/src/live/killed-services.',
  'system-tests/src/restarts/rolling-restart.',
  'svc-clinic/src/waitlist/waitlist-crashes.',
  'svc-pharmacy/src/killed-service.',
  // Runs and starts that are broken on purpose.
  'system-tests/src/support/broken-starts.',
  'scripts/test/batches.',
  'scripts/test/node-files.',
  'scripts/test/run-group.',
  'scripts/test/runners.',
];

/**
 * So it does with these of a browser: front-ends of a frozen release, of the next contract and of a canary, and what developers
 * work with, a domain made from the kit and a copy of the sources that a test changes.
 */
const releases: readonly string[] = [
  'e2e/src/federation/previous-',
  'e2e/src/federation/contract.',
  'e2e/src/federation/canary.',
  'e2e/src/domain/',
  'e2e/src/federation/fast-loop.',
];

/** The kind of a test, by its path: a step of `npm test`, or of `npm test -- rest`. */
type Step = 'unit' | 'long' | 'components' | 'compose' | 'swarm' | 'e2e' | 'releases' | 'engines';

/** The step of `npm test` that runs a test file, by its path. */
export function stepOf(path: string): Step {
  if (releases.some((prefix) => path.startsWith(prefix))) return 'releases';
  if (path.endsWith('.e2e.ts')) return path.startsWith('e2e/src/engines/') ? 'engines' : 'e2e';
  if (long.some((prefix) => path.startsWith(prefix))) return 'long';
  if (path.startsWith('docker/tests/')) return path.startsWith('docker/tests/swarm/') ? 'swarm' : 'compose';
  return usesJest(workspaceOf(path)) ? 'components' : 'unit';
}

/** Whether a file is imported by another one: docker/tests/stack.test.ts runs those of its folder on one set of containers. */
export const isPart = (path: string): boolean => path.startsWith('docker/tests/stack/');

/** All test files below a folder; an empty path is the whole repository. */
export function testFiles(folder = ''): TestFile[] {
  const found = globSync(
    ['{shell,gateway,e2e,bench,system-tests,svc-*,mf-*,packages/*,stand-ins/*}/src/**', '{scripts,docker,deploy}/**'],
    {
      cwd: root,
      exclude: (path) => /(^|\/)(node_modules|dist)$|^scripts\/new-domain\/templates$/.test(path),
    },
  );
  return found
    .map(normalize)
    .filter((path) => path.startsWith(folder === '' ? '' : `${folder}/`))
    .flatMap((path): TestFile[] => {
      if (path.endsWith('.e2e.ts')) return [{ path, runner: 'playwright' }];
      if (!/\.test\.tsx?$/.test(path)) return [];
      return [{ path, runner: usesJest(workspaceOf(path)) ? 'jest' : 'node' }];
    })
    .toSorted((a, b) => a.path.localeCompare(b.path));
}

/** `packages/ui` for `packages/ui/src/a.test.tsx`. */
function workspaceOf(path: string): string {
  return path
    .split('/')
    .slice(0, /^(?:packages|stand-ins)\//.test(path) ? 2 : 1)
    .join('/');
}

function usesJest(workspace: string): boolean {
  const manifest = join(root, workspace, 'package.json');
  return existsSync(manifest) && 'jest' in (JSON.parse(readFileSync(manifest, 'utf8')) as object);
}

/**
 * The files that the words name: a path from the root or the current folder, or a part of it; without words all. With
 * the name of a test only those that contain it: a file without a matching test would still start what it tests.
 *
 * @throws UserError if a word names no file, or no file contains the name
 */
export function selectFiles(files: readonly TestFile[], { words, name }: Selection, cwd: string): TestFile[] {
  const chosen = words.flatMap((word) => {
    const exact = relative(root, isAbsolute(word) ? word : join(cwd, word));
    const same = files.filter(({ path }) => path === exact || path === normalize(word));
    const found = same.length > 0 ? same : files.filter(({ path }) => path.includes(normalize(word)));
    if (found.length === 0) throw new UserError(`No test file has '${word}' in its path.`);
    return found;
  });
  const selected = words.length === 0 ? [...files] : [...new Set(chosen)];
  if (name === undefined) return selected;
  const named = selected.filter(({ path }) => readFileSync(join(root, path), 'utf8').includes(name));
  if (named.length === 0)
    throw new UserError(
      `No test here has '${name}' in its name. If the name is computed, give a part of it that stands in the file.`,
    );
  return named;
}
