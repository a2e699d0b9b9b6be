import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startStaticServer } from '../../packages/static-server/src/index.ts';
import type { Env } from '../../scripts/compose/interpolate.ts';
import { root } from '../../scripts/stack/settings.ts';
import { environmentOf } from './rendered.ts';
import {
  skip,
  overlays,
  objectsOf,
  ofKind,
  namesOf,
  pairs,
  dockerfileOf,
  portsOf,
  millicores,
  seconds,
  mebibytes,
} from './installations.ts';

describe('deploy/kubernetes', { skip }, () => {
  test('limits each container like the Compose file', () => {
    for (const overlay of overlays) {
      for (const { name, container, pod, compose } of pairs(overlay)) {
        for (const { resources, securityContext, name: each } of [container, ...(pod.spec?.initContainers ?? [])]) {
          const { limits, requests } = resources ?? {};
          const { cpus, memory } = compose.deploy.resources.limits;
          assert.deepEqual(
            [millicores(limits?.['cpu'] ?? ''), mebibytes(limits?.['memory'] ?? '')],
            [Number(cpus) * 1000, mebibytes(memory)],
            `${overlay} ${name} ${each}`,
          );
          assert.equal(requests?.['memory'], limits?.['memory'], name);
          assert.ok(millicores(requests?.['cpu'] ?? '') <= millicores(limits?.['cpu'] ?? ''), name);
          assert.deepEqual(
            securityContext,
            {
              readOnlyRootFilesystem: compose.read_only,
              allowPrivilegeEscalation: !compose.security_opt.includes('no-new-privileges:true'),
              capabilities: { drop: compose.cap_drop },
            },
            name,
          );
        }
        assert.deepEqual(compose.tmpfs, ['/tmp']);
        // The images' users are node, and mongodb for the database.
        const user = compose.user === 'mongodb' ? 999 : 1000;
        assert.deepEqual(
          pod.spec?.securityContext,
          {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            fsGroup: user,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          name,
        );
        assert.equal(/^USER node$/m.test(dockerfileOf(compose) ?? ''), user === 1000, name);
        assert.deepEqual([pod.spec?.automountServiceAccountToken, pod.spec?.enableServiceLinks], [false, false], name);
        const pause = Number(container.lifecycle?.preStop?.exec?.command?.[1] ?? 0);
        assert.equal(pod.spec?.terminationGracePeriodSeconds, seconds(compose.stop_grace_period) + pause, name);
      }
    }
    const [namespace] = ofKind('demo', 'Namespace') as unknown as readonly { metadata: { labels: Env } }[];
    assert.equal(namespace?.metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted');
  });

  test('checks health where the images do, and listens where they do', () => {
    for (const overlay of overlays) {
      for (const { name, kind, container, compose } of pairs(overlay)) {
        const dockerfile = dockerfileOf(compose);
        if (kind === 'CronJob' || kind === 'Job' || dockerfile === undefined) continue;
        const ports = portsOf(container);
        assert.equal(ports['http'], Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]), name);
        const [, port, path] = /CMD \["healthy", "(\d+)", "([^"]+)"\]/.exec(dockerfile) ?? [];
        const ready = container.readinessProbe?.httpGet;
        assert.deepEqual([ports[String(ready?.port)], ready?.path], [Number(port), path], name);
        const live = path === '/' ? '/' : '/health/live';
        for (const probe of [container.livenessProbe, container.startupProbe])
          assert.deepEqual(probe?.httpGet, { path: live, port: 'http' }, name);
        const { METRICS_PORT } = environmentOf(container, objectsOf(overlay));
        assert.equal(ports['metrics'], METRICS_PORT === undefined ? undefined : Number(METRICS_PORT), name);
      }
    }
  });

  test('runs at least two pods of each program in production, spread over the nodes, and one in a demo', () => {
    const scaled = new Map(
      ofKind('production', 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [
        metadata.name,
        (spec as { minReplicas: number }).minReplicas,
      ]),
    );
    assert.deepEqual([...scaled.keys()].toSorted(), [
      'gateway',
      'svc-clinic',
      'svc-identity',
      'svc-messages',
      'svc-pharmacy',
    ]);
    for (const { name, kind, replicas, pod } of pairs('production')) {
      if (kind !== 'Deployment') continue;
      // An autoscaler's number must not be reset by the next deployment.
      assert.deepEqual([replicas, scaled.get(name)], scaled.has(name) ? [undefined, 2] : [2, undefined], name);
      const spread = pod.spec?.topologySpreadConstraints?.map(({ topologyKey, labelSelector }) => [
        topologyKey,
        labelSelector?.matchLabels,
      ]);
      const labels = { 'app.kubernetes.io/name': name };
      assert.deepEqual(spread, [
        ['topology.kubernetes.io/zone', labels],
        ['kubernetes.io/hostname', labels],
      ]);
    }
    assert.deepEqual(namesOf(ofKind('demo', 'HorizontalPodAutoscaler')), []);
    for (const { name, kind, replicas = 1 } of pairs('demo'))
      if (kind === 'Deployment') assert.equal(replicas, 1, name);
  });

  test('replaces a pod only once another is ready', () => {
    for (const overlay of overlays) {
      for (const { metadata, spec } of ofKind(overlay, 'Deployment')) {
        const { strategy, minReadySeconds } = spec as { strategy: unknown; minReadySeconds: number };
        // One that crashes after its first seconds must not replace a good one.
        assert.equal(minReadySeconds, 15, metadata.name);
        const usual = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
        assert.deepEqual(strategy, metadata.name === 'auth-emulator' ? { type: 'Recreate' } : usual, metadata.name);
      }
    }
  });
});

describe('a front-end’s pod', { skip }, () => {
  let scratch: string;
  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'clinic-releases-'));
  });
  after(() => rmSync(scratch, { recursive: true }));

  test('serves the files of the release before to pages that are still open', async () => {
    const build = (version: string, file: string): string => {
      const directory = join(scratch, version);
      mkdirSync(directory);
      writeFileSync(join(directory, file), version);
      writeFileSync(join(directory, 'remote.json'), JSON.stringify({ version }));
      return directory;
    };
    const [before, now] = [build('1.0.0', 'old.0123456789abcdef.js'), build('1.1.0', 'new.fedcba9876543210.js')];
    const { pod } = pairs('production').find(({ name }) => name === 'mf-clinic') ?? assert.fail();
    const [first, ...more] = pod.spec?.initContainers ?? [];
    assert.ok(first && more.length === 0);
    const [program, ...args] = first.command ?? [];
    assert.equal(program, 'node');
    const releases = join(scratch, 'releases');
    execFileSync(process.execPath, args, {
      cwd: root,
      env: { ...process.env, STATIC_DIR: before, RELEASES_DIR: releases },
    });
    const server = await startStaticServer({ directory: now, releases, port: 0 });
    const get = async (file: string): Promise<string> => (await fetch(`${server.url}/${file}`)).text();
    assert.deepEqual(
      [await get('old.0123456789abcdef.js'), await get('new.fedcba9876543210.js'), await get('remote.json')],
      ['1.0.0', '1.1.0', '{"version":"1.1.0"}'],
    );
    await server.close();
  });
});
