// Prometheus itself watches the running clinic, as docker-compose.monitoring.yml and the files in monitoring say. Its programs
// come from Debian's packages; Grafana, whose queries are run here, and the collector of traces have none.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { metricsFile, recordBackup } from '../../../packages/backup/src/metrics-file.ts';
import { root } from '../../../scripts/stack/settings.ts';
import { findDebianProgram } from '../../../system-tests/src/support/debian-program.ts';
import { composeFiles, services } from '../compose-project.ts';
import { backups, project } from './project.ts';

const run = promisify(execFile);
/** Two scrapes, two evaluations and a busy machine, milliseconds. */
const patience = 180_000;
/** Milliseconds between two polls: each starts Node in the gateway's container. */
const pollEvery = 2_000;

interface Target {
  readonly scrapePool: string;
  readonly health: string;
  readonly lastError: string;
}

interface Rule {
  readonly name: string;
  readonly query: string;
  readonly health: string;
  readonly lastError?: string;
  readonly state: string;
}

/**
 * Makes images like the official ones from Debian's programs.
 *
 * @returns the Compose file that uses them; `undefined` if the packages can't be had
 */
async function buildImages(folder: string): Promise<string | undefined> {
  const prometheus = await findDebianProgram('prometheus', 'usr/bin/prometheus');
  const exporter = await findDebianProgram('prometheus-node-exporter', 'usr/bin/prometheus-node-exporter');
  if (prometheus === undefined || exporter === undefined) return undefined;
  await copyFile(prometheus, join(folder, 'prometheus'));
  await copyFile(exporter, join(folder, 'node-exporter'));
  await writeFile(
    join(folder, 'Dockerfile'),
    [
      `FROM ${process.env['NODE_IMAGE'] || 'node:24-bookworm-slim'} AS prometheus`,
      'COPY prometheus /bin/',
      'RUN install -d -o nobody -g nogroup /prometheus',
      'USER nobody',
      'ENTRYPOINT ["prometheus"]',
      `FROM ${process.env['NODE_IMAGE'] || 'node:24-bookworm-slim'} AS node-exporter`,
      'COPY node-exporter /bin/',
      'USER nobody',
      'ENTRYPOINT ["node-exporter"]',
    ].join('\n'),
  );
  const watcher = (name: string) => ({
    build: { context: folder, target: name },
    image: `clinic-test/${name}:debian`,
  });
  const file = join(folder, 'watchers.json');
  await writeFile(
    file,
    JSON.stringify({
      services: {
        prometheus: watcher('prometheus'),
        // On a machine without systemd, `/` is not a shared mount, as rslave needs.
        'node-exporter': { ...watcher('node-exporter'), volumes: ['/:/host:ro'] },
      },
    }),
  );
  return file;
}

/** Asks Prometheus over the clinic's networks: it has no published port. */
async function ask<T>(...paths: readonly string[]): Promise<readonly T[]> {
  const script =
    "Promise.all(process.argv.slice(1).map(async (path) => (await (await fetch('http://prometheus:9090/api/v1/' + path)).json()).data)).then((all) => console.log(JSON.stringify(all)))";
  const output = await project.compose('exec', '-T', 'gateway', 'node', '-e', script, ...paths);
  return JSON.parse(output) as readonly T[];
}

/** What browsers report of broken pages and of the page policy: without a report, its panels are empty. */
async function report(): Promise<void> {
  const violation = { 'document-uri': project.url, 'violated-directive': 'script-src', disposition: 'enforce' };
  for (const [path, body] of [
    ['/page-errors', { kind: 'broken', remote: 'mf-clinic' }],
    ['/policy-reports', { 'csp-report': violation }],
  ] as const) {
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
    const answer = await fetch(project.url + path, { method: 'POST', body: JSON.stringify(body), headers });
    assert.equal(answer.status, 204, `${path}: ${await answer.text()}`);
  }
  assert.equal((await fetch(`${project.url}/doctors?limit=none`)).status, 400);
}

/** Panels that are empty as long as every request is answered. */
const emptyWhenWell = new Set(['Requests without an answer']);

/** Every target answers, and there are as many as programs. */
async function everyTargetAnswers(): Promise<void> {
  const [state] = await ask<{ activeTargets: readonly Target[] }>('targets?state=active');
  const targets = state?.activeTargets ?? [];
  assert.deepEqual(
    targets.filter(({ health }) => health !== 'up').map(({ scrapePool, lastError }) => [scrapePool, lastError]),
    [],
  );
  const expected = ['balancer', 'gateway', 'machine', ...services.map(() => 'services')];
  assert.deepEqual(targets.map(({ scrapePool }) => scrapePool).toSorted(), expected);
}

/** Every panel of the dashboard has something to show. */
async function everyPanelShowsSomething(): Promise<void> {
  const dashboard = JSON.parse(await readFile(join(root, 'monitoring/grafana/dashboards/clinic.json'), 'utf8')) as {
    readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const queries = dashboard.panels
    .filter(({ title }) => !emptyWhenWell.has(title))
    .flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  assert.ok(queries.length > 15);
  const paths = queries.map(({ expr }) => `query?query=${encodeURIComponent(expr)}`);
  const answers = await ask<{ result: readonly unknown[] }>(...paths);
  assert.deepEqual(
    queries.filter((_, index) => (answers[index]?.result.length ?? 0) === 0),
    [],
  );
}

/** Every alert is evaluated, and none goes off in a clinic that is well. */
async function noAlertIsRaised(): Promise<void> {
  const [all] = await ask<{ groups: readonly { rules: readonly Rule[] }[] }>('rules');
  const rules = (all?.groups ?? []).flatMap((group) => group.rules);
  assert.ok(rules.length > 15);
  assert.deepEqual(
    rules.filter(({ health, state }) => health !== 'ok' || state === 'firing'),
    [],
  );
}

/** Runs Prometheus beside the clinic until it has scraped, evaluated and shown everything. */
export async function watchTheClinic(t: TestContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-prometheus-'));
  const file = await buildImages(folder);
  if (file === undefined) {
    t.skip("Debian's packages of Prometheus can't be had here");
    return;
  }
  const watch = (...args: readonly string[]): Promise<string> =>
    project.compose(
      ...[...composeFiles.split(':'), 'docker-compose.monitoring.yml', file].flatMap((name) => ['-f', name]),
      ...args,
    );
  t.after(async () => {
    // Compose has made those of Grafana, too.
    const names = (...endings: readonly string[]) => endings.map((ending) => `${project.name}_${ending}`);
    for (const remove of [
      () => watch('rm', '--stop', '--force', 'prometheus', 'node-exporter'),
      () => run('docker', ['network', 'rm', ...names('monitoring', 'dashboards')]),
      () => run('docker', ['volume', 'rm', ...names('prometheus', 'grafana')]),
      () => rm(folder, { recursive: true }),
    ])
      // The engine sometimes refuses to remove a network whose containers are gone. The clean-up never decides the result.
      await remove().catch((error: Error) => t.diagnostic(error.message));
  });
  // Only Grafana needs it.
  project.set({ GRAFANA_PASSWORD: 'unused' });
  await recordBackup(backups, file, new Date());
  // The container of the backups writes it as the user of the exporter.
  await chmod(join(backups, metricsFile), 0o644);
  await report();
  await watch('up', '--detach', '--build', '--wait', 'prometheus', 'node-exporter');
  for (const check of [everyTargetAnswers, everyPanelShowsSomething, noAlertIsRaised])
    await waitUntil(check, patience, pollEvery);
}
