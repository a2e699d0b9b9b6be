import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { isPart, selectFiles, stepOf, testFiles, parseSelection } from './selection.ts';

const files = testFiles();
const select = (args: readonly string[], cwd = root) =>
  selectFiles(files, parseSelection(args, 'usage'), cwd).map(({ path }) => path);

test('every test of the repository is found, with the program that runs it', () => {
  const runnerOf = (path: string) => files.find((file) => file.path === path)?.runner;
  assert.equal(runnerOf('svc-clinic/src/appointments/calendar-file.test.ts'), 'node');
  assert.equal(runnerOf('scripts/test/selection.test.ts'), 'node');
  assert.equal(runnerOf('docker/tests/stack.test.ts'), 'node');
  assert.equal(runnerOf('deploy/tests/kubernetes-settings.test.ts'), 'node');
  assert.equal(runnerOf('mf-admin/src/history/describe-event.test.ts'), 'jest');
  assert.equal(runnerOf('e2e/src/pharmacy/pharmacy.e2e.ts'), 'playwright');
  assert.ok(testFiles('svc-clinic').every(({ path }) => path.startsWith('svc-clinic/')));
});

test('a part of another file is imported by that, and runs only once in a whole run', () => {
  const whole = readFileSync(join(root, 'docker/tests/stack.test.ts'), 'utf8');
  const parts = files.map(({ path }) => path).filter(isPart);
  assert.ok(parts.length > 3);
  for (const path of parts) assert.ok(whole.includes(`import './stack/${basename(path)}';`), path);
});

test('the long tests and other browsers are not among those of `npm test`', () => {
  const paths = files.map(({ path }) => path);
  const of = (step: string) => paths.filter((path) => stepOf(path) === step);
  assert.deepEqual(of('long'), [
    'scripts/test/batches.test.ts',
    'scripts/test/node-files.test.ts',
    'scripts/test/run-group.test.ts',
    'scripts/test/runners.test.ts',
    'svc-clinic/src/waitlist/waitlist-crashes.int.test.ts',
    'svc-pharmacy/src/killed-service.int.test.ts',
    'system-tests/src/day/simulated-day.int.test.ts',
    'system-tests/src/kit/kit.int.test.ts',
    'system-tests/src/live/killed-services.int.test.ts',
    'system-tests/src/messages/killed-messages.int.test.ts',
    'system-tests/src/restarts/rolling-restart.int.test.ts',
    'system-tests/src/soak/replicas.int.test.ts',
    'system-tests/src/support/broken-starts.int.test.ts',
    'system-tests/src/upgrade/data-of-a-release.int.test.ts',
    'system-tests/src/upgrade/rolling-upgrade.int.test.ts',
  ]);
  assert.deepEqual(of('releases'), [
    'e2e/src/domain/new-domain.e2e.ts',
    'e2e/src/federation/canary.e2e.ts',
    'e2e/src/federation/contract.e2e.ts',
    'e2e/src/federation/fast-loop.e2e.ts',
    'e2e/src/federation/previous-changes.e2e.ts',
    'e2e/src/federation/previous-release.e2e.ts',
  ]);
  assert.deepEqual(of('engines'), ['e2e/src/engines/webkit.e2e.ts']);
  assert.equal(stepOf('e2e/src/journeys/reload.e2e.ts'), 'e2e');
});

test('a file is named by its path from the root or the current folder, or by a part of it', () => {
  const file = 'svc-clinic/src/appointments/calendar-file.test.ts';
  assert.deepEqual(select([file]), [file]);
  assert.deepEqual(select(['src/appointments/calendar-file.test.ts'], join(root, 'svc-clinic')), [file]);
  assert.deepEqual(select(['calendar-file.test', 'describe-event']), [
    file,
    'mf-admin/src/history/describe-event.test.ts',
  ]);
});

test('with a name only files that contain it run', () => {
  assert.deepEqual(select(['mf-admin', '--name', 'a record links to where it is shown']), [
    'mf-admin/src/history/describe-event.test.ts',
  ]);
});

test('an argument that matches nothing is rejected, and so is an unknown option', () => {
  for (const [args, message] of [
    [['no-such-file'], /No test file has 'no-such-file' in its path/],
    [['calendar-file', '-t', 'no such test'], /No test here has 'no such test' in its name/],
    [['--only', 'x'], /Unknown option '--only'.*usage.*--name TEXT/s],
  ] as const)
    assert.throws(
      () => select(args),
      (error) => error instanceof UserError && message.test(error.message),
    );
});
