// The containers that all files of this folder test, one after the other: imported by each, started once.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { promisify } from 'node:util';
import type { Registry } from '@clinic/contracts/remotes';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { frontEnds, openProject, services, type ComposeProject, type Container } from '../compose-project.ts';

export const all = ['balancer', 'gateway', ...frontEnds, ...services, 'auth-emulator', 'mongo'].toSorted();

/** Milliseconds until a change must be visible, on a busy machine. */
const patience = 300_000;
/** Milliseconds between two polls: most of them start Docker's client. */
const pollEvery = 250;

/**
 * REDEPLOY_WATCH_SECONDS of most redeployments here, shorter than an operator's: only the tests of what is seen meanwhile need more.
 */
export const shortWatch = '1';

/** Set before the first test. */
export let project: ComposeProject;
/** The folder of the backups. */
export let backups: string;

before(async () => {
  backups = await mkdtemp(join(tmpdir(), 'clinic-compose-backups-'));
  // The container runs as another user.
  await chmod(backups, 0o777);
  // The journeys book on separate days, far from now.
  project = await openProject({
    BACKUP_DIR: backups,
    CLINIC_BOOKING_HORIZON_DAYS: '1000',
    REDEPLOY_WATCH_SECONDS: shortWatch,
  });
  // One by one: BuildKit in older engines can panic over two builds that share their stages.
  await project.documented('docker compose up -d --build --wait');
  await project.compose('build', 'backup');
});
after(async () => {
  await project?.close();
  await rm(backups, { recursive: true, force: true });
});

/** Every container's id by its service. */
export async function ids(): Promise<ReadonlyMap<string, string>> {
  const idsOf = (list: readonly Container[]): string =>
    list
      .map(({ Id }) => Id)
      .toSorted()
      .join();
  return new Map([...(await project.containers())].map(([name, list]) => [name, idsOf(list)]));
}

/** The services that have other containers. */
export function changed(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly string[] {
  return all.filter((name) => before.get(name) !== now.get(name));
}

/** The version of each remote in a visitor's registry. */
export async function remotes(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const registry = (await (await fetch(`${url}/registry.json`, { headers })).json()) as Registry;
  return Object.fromEntries(registry.remotes.map(({ name, version }) => [name, version]));
}

/** What visitors see, with the sold stock but without what changes with time. */
export async function publicLists(url: string): Promise<readonly unknown[]> {
  const [medicine, doctors] = await Promise.all(
    // A gateway finds a service within a second of its start, which may be after Compose has seen both healthy.
    ['/medicine', '/doctors'].map((path) =>
      until(async () => {
        const answer = await fetch(url + path);
        return answer.ok && ((await answer.json()) as object[]);
      }),
    ),
  );
  assert.ok(medicine?.length && doctors?.length);
  // Times pass meanwhile.
  const passing = { nextFree: undefined, nextFreeTimes: undefined, bookableUntil: undefined };
  return [medicine, doctors.map((doctor) => ({ ...doctor, ...passing }))];
}

/** The id of an image. */
export async function imageIn(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', ['image', 'inspect', '--format', '{{.Id}}', name]);
  return stdout.trim();
}

/** Waits for a condition. */
export const until = <T>(check: () => Promise<T>): Promise<Exclude<T, false>> => waitUntil(check, patience, pollEvery);
