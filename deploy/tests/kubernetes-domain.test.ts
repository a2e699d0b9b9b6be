import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { Env } from '../../scripts/compose/interpolate.ts';
import { kitVersion } from '../../scripts/kit/raise.ts';
import { writeFiles } from '../../scripts/new-domain/write-files.ts';
import { root } from '../../scripts/stack/settings.ts';
import { faultsOf } from './api-types.ts';
import {
  environmentOf,
  isAllowed,
  networksOf,
  render,
  workloadsOf,
  type KubernetesObject,
  type Workload,
} from './rendered.ts';
import { skip, kubectl, portsOf } from './installations.ts';

describe('a new domain', { skip }, () => {
  let copy: string;
  let objects: readonly KubernetesObject[];
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'clinic-domain-'));
    for (const file of ['deploy/kubernetes', 'docker/mongo', 'svc-pharmacy/Dockerfile'])
      cpSync(join(root, file), join(copy, file), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    writeFiles({ name: 'lab-results', title: 'Lab results', roles: ['doctor'] }, copy, kitVersion());
    // Follow the first lines of the domain's kustomization.
    const own = join(copy, 'deploy/kubernetes/own');
    mkdirSync(own);
    writeFileSync(
      join(own, 'kustomization.yaml'),
      `resources: [../production]
components: [../domains/lab-results]
configMapGenerator:
  - name: gateway
    namespace: clinic
    behavior: merge
    literals:
      - EXTRA_SERVICES=,lab-results=http://svc-lab-results:4000
      - EXTRA_REMOTES=,mf-lab-results=http://mf-lab-results:8080
`,
    );
    objects = render(kubectl, own);
  });
  after(() => rmSync(copy, { recursive: true }));

  test('is deployed like the pharmacy, and the gateway finds it', () => {
    assert.deepEqual(faultsOf(objects), []);
    const of = (name: string): Workload => workloadsOf(objects).find((one) => one.name === name) ?? assert.fail(name);
    const gateway = environmentOf(of('gateway').container, objects);
    assert.match(gateway['SERVICES'] ?? '', /,lab-results=http:\/\/svc-lab-results:4000$/);
    assert.match(gateway['REMOTES'] ?? '', /,mf-lab-results=http:\/\/mf-lab-results:8080$/);
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as readonly NetworkPolicy[];
    const labels = ({ pod }: Workload): Env => pod.metadata?.labels ?? {};
    for (const [kind, port] of [
      ['svc', 4000],
      ['mf', 8080],
    ] as const) {
      const [made, model] = [of(`${kind}-lab-results`), of(`${kind}-pharmacy`)];
      assert.equal(portsOf(made.container)['http'], port);
      assert.ok(isAllowed(policies, labels(of('gateway')), labels(made), port));
      assert.deepEqual(networksOf(made.pod), networksOf(model.pod));
      assert.deepEqual(made.pod.spec?.securityContext, model.pod.spec?.securityContext);
      for (const part of ['resources', 'securityContext', 'readinessProbe'] as const)
        assert.deepEqual(made.container[part], model.container[part]);
    }
    const env = environmentOf(of('svc-lab-results').container, objects);
    assert.deepEqual(
      [env['MONGODB_DATABASE'], env['MONGODB_USER'], env['MONGODB_PASSWORD_FILE'], env['LOW_STOCK_BELOW']],
      ['lab-results', 'lab-results', '/run/secrets/mongo-lab-results', undefined],
    );
    const secrets = of('svc-lab-results').pod.spec?.volumes?.find(({ name }) => name === 'secrets')?.secret?.items;
    assert.deepEqual(
      secrets?.map(({ key }) => key),
      ['mongo-lab-results', 'internal-calls'],
    );
  });
});
