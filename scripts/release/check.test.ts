// Tests the pre-release check against releases whose front-ends today's services would break.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { keepSnapshot, snapshotOf, type ReleaseSnapshot } from './call-schemas.ts';
import { everyCall } from './every-call.ts';
import type { JsonSchema } from './compatibility.ts';

/** An earlier release with a different booking call. */
function releaseWhere(
  wasSo: (body: JsonSchema, response: JsonSchema) => { readonly body?: JsonSchema; readonly response?: JsonSchema },
): ReleaseSnapshot {
  const now = snapshotOf(everyCall);
  const call = now.calls['bookAppointment'];
  assert.ok(call?.body && call.response);
  return { ...now, calls: { ...now.calls, bookAppointment: { ...call, ...wasSo(call.body, call.response) } } };
}

const withField = (schema: JsonSchema, name: string, field: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, [name]: field },
});

function withoutField({ properties = {}, required = [], ...rest }: JsonSchema, name: string): JsonSchema {
  const { [name]: left, ...others } = properties;
  assert.ok(left && required.includes(name), name);
  return { ...rest, properties: others, required: required.filter((one) => one !== name) };
}

function check(t: TestContext, release: ReleaseSnapshot): { readonly status: number | null; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-releases-'));
  t.after(() => rmSync(folder, { recursive: true }));
  keepSnapshot('2026-01-01', release, folder);
  writeFileSync(join(folder, 'accepted.json'), '{}');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts'), folder], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test("release:check passes if a release has today's calls", (t) => {
  const { status, output } = check(t, snapshotOf(everyCall));
  assert.deepEqual([status, output.trim().split('\n').at(-1)], [0, "Today's calls keep what 2026-01-01 promised."]);
});

test('release:check fails on a new required, a removed and a narrowed field, and names them', (t) => {
  const release = releaseWhere((body, response) => {
    const patientname = { ...body.properties?.['patientname'], maxLength: 400 };
    const hadRoom = withField(withoutField(body, 'age'), 'room', { type: 'string' });
    return {
      body: withField(hadRoom, 'patientname', patientname),
      response: withField(response, 'room', { type: 'string' }),
    };
  });
  const { status, output } = check(t, release);
  assert.equal(status, 1, output);
  assert.deepEqual(
    output
      .split('\n')
      .filter((line) => line.startsWith('2026-01-01 · '))
      .toSorted(),
    [
      '2026-01-01 · bookAppointment: body.age: is required now',
      '2026-01-01 · bookAppointment: body.patientname: maxLength was 400 and is 200',
      '2026-01-01 · bookAppointment: body.room: was removed',
      '2026-01-01 · bookAppointment: response.room: was removed',
    ],
  );
});

test('with --since, release:check compares with a commit, and names one that there isn’t', () => {
  const since = (commit: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts'), '--since', commit], { encoding: 'utf8' });
  const { status, stdout, stderr } = since('HEAD');
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /Today's calls keep what [\d-]+-HEAD promised\.\n$/);
  const unknown = since('no-such-branch');
  assert.deepEqual([unknown.status, unknown.stderr.split('.')[0]], [1, 'There is no commit no-such-branch here']);
});
