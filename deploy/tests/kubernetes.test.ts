// deploy/kubernetes, as kustomize renders it, against the API's types and against docker-compose.yml. No cluster is
// needed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Env } from '../../scripts/compose/interpolate.ts';
import { faultsOf } from './api-types.ts';
import { composeServices } from './compose-file.ts';
import { environmentOf, workloadsOf, type KubernetesObject } from './rendered.ts';
import { skip, kubectl, overlays, replaced, objectsOf, ofKind, namesOf, pairs } from './installations.ts';

// Skipped suites aren't counted, but this is, so that the totals show that nothing was checked.
test('deploy/kubernetes can be checked here', { skip }, () => assert.notEqual(kubectl, ''));

describe('deploy/kubernetes', { skip }, () => {
  test('has only objects that the API knows, all in one namespace', () => {
    for (const overlay of overlays) {
      const objects = objectsOf(overlay);
      assert.deepEqual(faultsOf(objects), [], overlay);
      const ids = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.equal(new Set(ids).size, ids.length);
      for (const { kind, metadata } of objects)
        if (kind !== 'Namespace') assert.equal(metadata.namespace, 'clinic', `${kind} ${metadata.name}`);
    }
  });

  test('would be rejected with an unknown, a missing or a wrong field, or an unknown kind', () => {
    const changed = (change: (spec: Record<string, never>) => void): KubernetesObject => {
      const object = structuredClone(
        ofKind('demo', 'Deployment').find(({ metadata }) => metadata.name === 'svc-clinic'),
      );
      assert.ok(object);
      change(object.spec as Record<string, never>);
      return object;
    };
    const container = (spec: { template?: { spec: { containers: Record<string, unknown>[] } } }) =>
      spec.template?.spec.containers[0] ?? assert.fail();
    const faults = faultsOf([
      changed(() => {}),
      changed((spec) => Object.assign(container(spec), { readinessprobe: {} })),
      changed((spec) => Object.assign(spec, { replicas: '2' })),
      changed((spec) => Reflect.deleteProperty(spec, 'selector')),
      { apiVersion: 'apps/v1', kind: 'Deploiment', metadata: { name: 'misspelt' } },
    ]);
    assert.equal(faults.length, 4, faults.join('\n'));
    for (const [index, expected] of [
      /readinessprobe"?' does not exist/,
      /'string' is not assignable to type 'number'/,
      /'selector' is missing/,
      /Deploiment/,
    ].entries())
      assert.match(faults[index] ?? '', expected);
  });

  test('runs every container of the Compose file, and no other', () => {
    for (const overlay of overlays) {
      const expected = [...composeServices({}).keys()].filter((name) => !replaced[overlay].includes(name));
      assert.deepEqual(
        workloadsOf(objectsOf(overlay))
          .map(({ name }) => name)
          .toSorted(),
        expected.toSorted(),
      );
    }
  });

  test('lets a scraper find every program with metrics, and a private registry be used', () => {
    for (const overlay of overlays)
      for (const { name, kind, container, pod } of workloadsOf(objectsOf(overlay))) {
        const measured = container.ports?.some((port) => port.name === 'metrics') === true;
        const { 'prometheus.io/scrape': scrape, 'prometheus.io/port': port } = pod.metadata?.annotations ?? {};
        assert.deepEqual([scrape, port], measured ? ['true', '9464'] : [undefined, undefined], name);
        if (overlay === 'production' && kind !== 'Job')
          assert.deepEqual(pod.spec?.imagePullSecrets, [{ name: 'clinic-registry' }], name);
      }
  });

  test('only refers to objects that exist', () => {
    for (const overlay of overlays) {
      const workloads = workloadsOf(objectsOf(overlay));
      const running = workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
      // Each program has a Service, headless except for the gateway's, which the Ingress controller balances.
      assert.deepEqual(namesOf(ofKind(overlay, 'Service')), running.map(({ name }) => name).toSorted());
      for (const { metadata, spec } of ofKind(overlay, 'Service')) {
        const { selector, clusterIP } = spec as { selector: Env; clusterIP?: string };
        assert.deepEqual(selector, { 'app.kubernetes.io/name': metadata.name });
        assert.equal(clusterIP, metadata.name === 'gateway' ? undefined : 'None', metadata.name);
      }
      for (const { name, pod } of workloads) {
        assert.equal(pod.metadata?.labels?.['app.kubernetes.io/name'], name);
        for (const { configMap, persistentVolumeClaim, secret } of pod.spec?.volumes ?? []) {
          if (configMap) assert.ok(namesOf(ofKind(overlay, 'ConfigMap')).includes(configMap.name ?? ''), name);
          if (persistentVolumeClaim)
            assert.ok(
              namesOf(ofKind(overlay, 'PersistentVolumeClaim')).includes(persistentVolumeClaim.claimName),
              name,
            );
          if (secret) assert.ok(['clinic-secrets', 'backup-identity'].includes(secret.secretName ?? ''), name);
        }
      }
      const deployments = namesOf(ofKind(overlay, 'Deployment'));
      for (const { metadata, spec } of ofKind(overlay, 'HorizontalPodAutoscaler')) {
        assert.deepEqual((spec as { scaleTargetRef: unknown }).scaleTargetRef, {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: metadata.name,
        });
        assert.ok(deployments.includes(metadata.name));
      }
      for (const { metadata, spec } of ofKind(overlay, 'PodDisruptionBudget'))
        assert.deepEqual(spec, {
          maxUnavailable: 1,
          selector: { matchLabels: { 'app.kubernetes.io/name': metadata.name } },
        });
      // The database and the sign-in of a demo have no second pod to wait for.
      const alone = ['auth-emulator', 'mongo'];
      assert.deepEqual(
        namesOf(ofKind(overlay, 'PodDisruptionBudget')),
        running
          .map(({ name }) => name)
          .filter((name) => !alone.includes(name))
          .toSorted(),
      );
    }
  });

  test('names an image for each container: in a demo those that Compose builds', () => {
    for (const { name, container, compose, pod } of pairs('demo')) {
      // The restore Job is only for real installations.
      if (name === 'restore') continue;
      assert.equal(container.image, compose.image);
      for (const { image } of pod.spec?.initContainers ?? []) assert.equal(image, compose.image);
    }
    for (const { container, pod } of pairs('production'))
      for (const { image = '' } of [container, ...(pod.spec?.initContainers ?? [])])
        assert.match(image, /^registry\.example\/clinic\/[a-z-]+:1\.0\.0$/);
  });

  test('restores into the database of the installation', () => {
    for (const overlay of overlays) {
      const uriOf = (name: string): string | undefined =>
        environmentOf(pairs(overlay).find((one) => one.name === name)?.container ?? assert.fail(), objectsOf(overlay))[
          'MONGODB_URI'
        ];
      for (const name of ['backup', 'restore']) assert.equal(uriOf(name), uriOf('svc-clinic'));
    }
  });
});
