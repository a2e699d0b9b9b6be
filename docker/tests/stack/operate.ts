// What operators do while people use the clinic, and how to see its effect.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describeFailure } from '../../../system-tests/src/restarts/load.ts';
import { underLoad } from '../visitors.ts';
import { changed, ids, project } from './project.ts';

/** Runs an operator's command and expects no visitor to notice. @returns the services whose containers changed */
export async function unnoticed(t: TestContext, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await ids();
  assert.deepEqual((await underLoad(t, project.url, work)).map(describeFailure), []);
  return changed(before, await ids());
}

/** Runs docker/redeploy.sh. */
export const redeploy = (...args: readonly string[]): Promise<string> => project.script('docker/redeploy.sh', ...args);

/** Gives a part another version. */
export const release = (part: string, version: string): Promise<void> =>
  project.edit(`${part}/package.json`, (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`));

/** Gives a file of the copy its present text again after the test, also after one that failed: later tests deploy it. */
export async function restoreAfter(t: TestContext, file: string): Promise<void> {
  const path = join(project.folder, file);
  const text = await readFile(path, 'utf8');
  t.after(() => writeFile(path, text));
}

/** The gateway's entry for a part. */
export const stateOf = async (part: string): Promise<string> => {
  // With Bash: starting Node would take longer than the answer.
  const ask = 'exec 3<>/dev/tcp/127.0.0.1/9464 && printf "GET /health/ready HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3';
  const health = await project.compose('exec', '-T', 'gateway', 'bash', '-c', ask);
  return (JSON.parse(health.slice(health.indexOf('{'))) as { parts: Record<string, string> }).parts[part] ?? '';
};

/** The image that a part runs. */
export const imageOf = async (part: string): Promise<string | undefined> =>
  (await project.containers()).get(part)?.[0]?.Image;

/** The kept versions of a part with their notes: `runs`, `ran before`. */
export const versions = async (part: string): Promise<ReadonlyMap<string, string>> => {
  const lines = (await redeploy('--list', part)).split('\n').filter((line) => line.startsWith('  '));
  return new Map(lines.map((line) => /^ {2}(\S+) ?(.*)$/.exec(line)?.slice(1, 3) as [string, string]));
};

/** The version with a note of {@link versions}. */
export const versionThat = async (part: string, note: string): Promise<string> =>
  [...(await versions(part))].find(([, notes]) => notes === note)?.[0] ?? assert.fail(`no version of ${part} ${note}`);
