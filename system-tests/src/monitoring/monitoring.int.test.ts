import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { createMetrics as gatewayMetrics } from '../../../gateway/src/operators/metrics.ts';
import { createMetrics as serviceMetrics } from '../../../packages/service-kit/src/observability/metrics.ts';
import { recordBackup, metricsFile } from '../../../packages/backup/src/metrics-file.ts';
import { findDebianProgram } from '../support/debian-program.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly networks?: readonly string[];
        readonly environment?: Readonly<Record<string, string | number>>;
        readonly read_only?: boolean;
        readonly cap_drop?: readonly string[];
        readonly ports?: readonly string[];
        readonly deploy?: { readonly resources?: { readonly limits?: Readonly<Record<string, unknown>> } };
      }
    >
  >;
}

const { groups } = parse(text('monitoring/alerts.yml')) as { readonly groups: readonly { rules: readonly Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const compose = parse(text('docker-compose.yml'), { merge: true }) as ComposeFile;
const watchers = parse(text('docker-compose.monitoring.yml'), { merge: true }) as ComposeFile;
const scrapes = (
  parse(text('monitoring/prometheus.yml')) as {
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly dns_sd_configs?: readonly { readonly names: readonly string[]; readonly port: number }[];
      readonly http_sd_configs?: readonly { readonly url: string }[];
      readonly static_configs?: readonly { readonly targets: readonly string[] }[];
    }[];
  }
).scrape_configs;

/** Names of all metrics in the text format. */
const namesIn = (metrics: string): string[] => [...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(namesOf);
const namesOf = ([, name = '', type]: RegExpExecArray): string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];

/** Metrics of Prometheus itself and the node exporter. */
const foreign = ['up', 'node_filesystem_avail_bytes', 'node_filesystem_size_bytes'];

async function ourMetrics(): Promise<ReadonlySet<string>> {
  const service = serviceMetrics('test', true, new AbortController().signal);
  service.showPool({ open: 0, checkedOut: 0, waiting: 0, most: 0 } as Parameters<typeof service.showPool>[0]);
  service.showFeed({ isLive: () => true, silence: () => 0 } as Parameters<typeof service.showFeed>[0]);
  const gateway = gatewayMetrics();
  gateway.measure({ upstreams: [], lines: { open: 0 }, deployments: { all: new Map() } });
  const folder = await mkdtemp(join(tmpdir(), 'clinic-figures-'));
  try {
    await writeFile(join(folder, 'a.backup'), 'x');
    await recordBackup(folder, join(folder, 'a.backup'), new Date());
    const texts = [
      await gateway.registry.metrics(),
      await service.registry.metrics(),
      await readFile(join(folder, metricsFile), 'utf8'),
    ];
    return new Set([...texts.flatMap(namesIn), ...foreign]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Names of metrics in a query: what is neither a function, nor a label, nor a keyword. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|on|without|ignoring) \([^)]*\)/g, '');
  const keywords = new Set(['unless', 'and', 'or', 'on', 'by', 'bool']);
  return [...bare.matchAll(/\b([a-z_][a-z_0-9]*)\b(?! *\()/g)].flatMap(([, name = '']) =>
    keywords.has(name) ? [] : [name],
  );
}

describe('alerts', () => {
  test('and dashboards use only metrics that exist', async () => {
    const known = await ourMetrics();
    const dashboard = JSON.parse(text('monitoring/grafana/dashboards/clinic.json')) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const queries = [
      ...alerts.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ];
    assert.ok(queries.length > 40);
    for (const query of queries) {
      const used = metricsOf(query);
      assert.ok(used.length > 0, query);
      assert.deepEqual(
        used.filter((name) => !known.has(name)),
        [],
        query,
      );
    }
    assert.deepEqual(metricsOf('max by (a) (no_such_metric{b="c"}) == 0'), ['no_such_metric']);
  });

  test('each have a section that says what to do, and no section is left over', () => {
    const sections = [...text('docs/alerts.md').matchAll(/^## (\w+)\n\n\*(Critical|Warning)\.\*/gm)];
    assert.deepEqual(
      sections.map(([, name, severity = '']) => [name, severity.toLowerCase()]),
      alerts.map(({ alert, labels }) => [alert, labels.severity]),
    );
    for (const { alert, annotations } of alerts)
      assert.equal(annotations.runbook_url, `docs/alerts.md#${alert.toLowerCase()}`);
  });

  test('pass the checks and rule tests of Prometheus itself', async (context) => {
    const promtool = await findDebianProgram('prometheus', 'usr/bin/promtool');
    if (promtool === undefined) return context.skip('needs promtool (Debian: apt-get install prometheus)');
    const folder = join(root, 'monitoring');
    await run(promtool, ['check', 'rules', 'alerts.yml'], { cwd: folder });
    await run(promtool, ['check', 'config', '--syntax-only', 'prometheus.yml'], { cwd: folder });
    await run(promtool, ['test', 'rules', 'alerts.test.yml'], { cwd: folder });
  });
});

describe('docker-compose.monitoring.yml', () => {
  test('scrapes every program that has metrics, where it has them, on a network they share', () => {
    const targets = scrapes.flatMap(({ dns_sd_configs = [], static_configs = [] }) => [
      ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
      ...static_configs.flatMap((config) => config.targets),
    ]);
    // The services, also one added later, are those that the gateway finds (gateway/src/observability.int.test.ts).
    assert.deepEqual(
      scrapes.flatMap(({ http_sd_configs = [] }) => http_sd_configs.map(({ url }) => url)),
      ['http://gateway:9464/targets'],
    );
    const measured = Object.entries(compose.services).filter(([, { environment }]) => environment?.['METRICS_PORT']);
    const found = measured.filter(([name]) => name.startsWith('svc-'));
    const port = compose.services['gateway']?.environment?.['METRICS_PORT'];
    for (const [name, { environment, networks }] of found) {
      assert.equal(environment?.['METRICS_PORT'], port, name);
      assert.ok(networks?.includes('services'), name);
    }
    assert.deepEqual(
      targets.toSorted(),
      [
        ...measured
          .filter((one) => !found.includes(one))
          .map(([name, { environment }]) => `${name}:${environment?.['METRICS_PORT']}`),
        'balancer:8404',
        'node-exporter:9100',
      ].toSorted(),
    );
    const reached = watchers.services['prometheus']?.networks ?? [];
    for (const target of targets) {
      const name = target.split(':')[0] ?? '';
      const networks = (compose.services[name] ?? watchers.services[name])?.networks ?? [];
      assert.ok(
        networks.some((network) => reached.includes(network)),
        target,
      );
    }
    assert.match(text('docker/balancer/haproxy.cfg'), /bind :8404/);
  });

  test('gives the monitoring programs no more rights than they need', () => {
    for (const [name, { image = '', networks, read_only, cap_drop, ports, deploy }] of Object.entries(
      watchers.services,
    )) {
      assert.match(image, /:-[\w./-]+:v?\d+\.\d+\.\d+\}$/, `${name}: an exact version`);
      assert.equal(read_only, true, name);
      assert.deepEqual(cap_drop, ['ALL'], name);
      assert.ok(!networks?.includes('database'), name);
      assert.deepEqual(Object.keys(deploy?.resources?.limits ?? {}), ['cpus', 'memory', 'pids'], name);
      assert.ok(
        (ports ?? []).every((port) => port.startsWith('127.0.0.1:')),
        name,
      );
    }
  });
});
