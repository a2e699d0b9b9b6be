// deploy/kubernetes, as kustomize renders it, against the API's types and against docker-compose.yml. No cluster is needed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import { readGatewaySettings } from '../../gateway/src/settings.ts';
import { startStaticServer } from '../../packages/static-server/src/index.ts';
import { baseSettings, readSettings } from '../../packages/service-kit/src/settings/settings.ts';
import { clinicSettings } from '../../svc-clinic/src/settings.ts';
import { settings as identitySettings } from '../../svc-identity/src/settings.ts';
import { settings as pharmacySettings } from '../../svc-pharmacy/src/settings.ts';
import type { Env } from '../../scripts/compose/interpolate.ts';
import { writeFiles } from '../../scripts/new-domain/write-files.ts';
import { root } from '../../scripts/stack/settings.ts';
import { faultsOf } from './api-types.ts';
import { composeServices, type ComposeService } from './compose-file.ts';
import { ensureKubectl } from './kubectl.ts';
import {
  environmentOf,
  isAllowed,
  networksOf,
  render,
  workloadsOf,
  type KubernetesObject,
  type Workload,
} from './rendered.ts';

const folder = join(root, 'deploy/kubernetes');
const found = await ensureKubectl();
// A mirror that can't be reached is no fault of the files; the skipped tests are named and counted.
const skip = 'missing' in found ? `deploy/kubernetes is not checked here: ${found.missing}` : false;
const kubectl = 'file' in found ? found.file : '';

/** What is written in `.env` for the same installation in Compose. */
const dotEnv = {
  demo: { DEMO_MODE: 'true', SESSION_KEY_FILE: '/run/secrets/session-key' },
  production: {
    DEMO_MODE: 'false',
    SESSION_KEY_FILE: '/run/secrets/session-key',
    PUBLIC_URL: 'https://clinic.example',
    TRUST_PROXY: 'true',
    FIREBASE_PROJECT_ID: 'my-clinic',
    FIREBASE_API_KEY: 'AIza-your-key',
    FIREBASE_AUTH_DOMAIN: 'my-clinic.firebaseapp.com',
    AUTH_EMULATOR_URL: '',
    FIREBASE_AUTH_EMULATOR_HOST: '',
    MONGODB_URI:
      'mongodb://db-0.example:27017,db-1.example:27017,db-2.example:27017/?replicaSet=rs0&authSource=admin&tls=true',
    BACKUP_RECIPIENTS: 'age1-your-recipient',
  },
} as const satisfies Record<string, Env>;
type Overlay = keyof typeof dotEnv;
const overlays = ['demo', 'production'] as const satisfies readonly Overlay[];

/** Containers that Kubernetes has something else for: the Ingress, and in production an external database and Firebase. */
const replaced: Readonly<Record<Overlay, readonly string[]>> = {
  demo: ['balancer'],
  production: ['balancer', 'mongo', 'auth-emulator'],
};

/** Settings that differ from Compose's for a reason. */
const otherSettings: Readonly<Record<Overlay, Readonly<Record<string, Env>>>> = {
  demo: {
    // No balancer is in front, and a comma-separated list can be extended.
    gateway: { BEHIND_BALANCER: 'false', EXTRA_SERVICES: '', EXTRA_REMOTES: '' },
  },
  production: {
    // The Ingress publishes it to everyone, so DEMO_MODE=true alone must never be enough.
    gateway: {
      BEHIND_BALANCER: 'false',
      EXTRA_SERVICES: '',
      EXTRA_REMOTES: '',
      PUBLISHED_AT: '0.0.0.0',
      DEMO_MODE_SAID: '',
    },
  },
};

/** Volumes that only Compose has. */
const otherVolumes: Readonly<Record<Overlay, Readonly<Record<string, readonly string[]>>>> = {
  // A demo's session key is a secret here. The accounts of a demo aren't restored.
  demo: { 'svc-identity': ['/var/lib/clinic'], restore: ['/accounts'] },
  production: { 'svc-identity': ['/var/lib/clinic'], backup: ['/accounts'], restore: ['/accounts'] },
};

const rendered = new Map<Overlay, readonly KubernetesObject[]>();
const restore: KubernetesObject[] = [];
/** All objects of an overlay, and the Job of a restore. */
const objectsOf = (overlay: Overlay): readonly KubernetesObject[] => [...(rendered.get(overlay) ?? []), ...restore];
const ofKind = (overlay: Overlay, kind: string): readonly KubernetesObject[] =>
  objectsOf(overlay).filter((object) => object.kind === kind);
const namesOf = (objects: readonly { metadata: { name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name).toSorted();

/** Workloads of an overlay with the containers of the Compose file that they stand for. */
function pairs(overlay: Overlay): readonly (Workload & { readonly compose: ComposeService })[] {
  const services = composeServices(dotEnv[overlay]);
  return workloadsOf(objectsOf(overlay)).map((workload) => ({
    ...workload,
    compose: services.get(workload.name) ?? assert.fail(`docker-compose.yml has no ${workload.name}`),
  }));
}

const dockerfileOf = ({ build }: ComposeService): string | undefined =>
  build && readFileSync(join(root, build.dockerfile), 'utf8');
const portsOf = ({ ports = [] }: Container): Readonly<Record<string, number>> =>
  Object.fromEntries(ports.map(({ name = '', containerPort }) => [name, containerPort]));
const millicores = (cpu: string): number => (cpu.endsWith('m') ? Number.parseInt(cpu) : Number(cpu) * 1000);
const seconds = (text: string): number => Number.parseInt(text);
/** Compose's 384M is what Kubernetes calls 384Mi. */
const mebibytes = (memory: string): number => Number(/^(\d+)Mi?$/.exec(memory)?.[1] ?? Number.NaN);

// Skipped suites aren't counted, but this is, so that the totals show that nothing was checked.
test('deploy/kubernetes can be checked here', { skip }, () => assert.notEqual(kubectl, ''));

describe('deploy/kubernetes', { skip }, () => {
  before(() => {
    for (const overlay of overlays) rendered.set(overlay, render(kubectl, join(folder, overlay)));
    restore.push(...render(kubectl, join(folder, 'restore')));
  });

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

  test('is refused with an unknown, a missing or a wrong field, or an unknown kind', () => {
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

  test('gives each program the same settings as the Compose file', () => {
    for (const overlay of overlays) {
      for (const { name, container, compose } of pairs(overlay)) {
        const expected = {
          ...Object.fromEntries(Object.entries(compose.environment ?? {}).map(([key, value]) => [key, String(value)])),
          ...otherSettings[overlay][name],
        };
        assert.deepEqual(environmentOf(container, objectsOf(overlay)), expected, `${overlay} ${name}`);
        assert.deepEqual(container.args, compose.command, `${overlay} ${name}`);
      }
    }
  });

  test('has settings that the programs accept', () => {
    const secrets = join(mkdtempSync(join(tmpdir(), 'clinic-kubernetes-')), 'secrets');
    execFileSync(join(root, 'docker/make-secrets.sh'), [secrets]);
    const services = {
      'svc-identity': { ...baseSettings, ...identitySettings },
      'svc-clinic': { ...baseSettings, ...clinicSettings },
      'svc-pharmacy': { ...baseSettings, ...pharmacySettings },
    };
    for (const overlay of overlays) {
      for (const { name, container } of pairs(overlay)) {
        const env = { ...environmentOf(container, objectsOf(overlay)), PORT: String(portsOf(container)['http']) };
        if (name === 'gateway') assert.equal(readGatewaySettings(env).DEMO_MODE, overlay === 'demo');
        if (!Object.hasOwn(services, name)) continue;
        const here = Object.fromEntries(
          Object.entries(env).map(([key, value]) => [key, value.replace('/run/secrets', secrets)]),
        );
        const settings = readSettings(services[name as keyof typeof services], here);
        assert.equal(settings.DEMO_MODE, overlay === 'demo');
        assert.equal(settings.MONGODB_PASSWORD, readFileSync(here['MONGODB_PASSWORD_FILE'] ?? '', 'utf8').trim());
      }
    }
    rmSync(join(secrets, '..'), { recursive: true });
  });

  test('trusts forwarding headers only behind the Ingress, and nothing else can reach a gateway', () => {
    const policiesOf = (overlay: Overlay): readonly NetworkPolicy[] =>
      ofKind(overlay, 'NetworkPolicy') as readonly NetworkPolicy[];
    for (const overlay of overlays) {
      const { container, pod } = pairs(overlay).find(({ name }) => name === 'gateway') ?? assert.fail();
      const { TRUST_PROXY, BEHIND_BALANCER } = environmentOf(container, objectsOf(overlay));
      assert.deepEqual([TRUST_PROXY, BEHIND_BALANCER], [String(overlay === 'production'), 'false']);
      for (const other of workloadsOf(objectsOf(overlay)).filter(({ pod: one }) => !networksOf(one).includes('fronts')))
        for (const port of Object.values(portsOf(container)))
          assert.ok(
            !isAllowed(policiesOf(overlay), other.pod.metadata?.labels ?? {}, pod.metadata?.labels ?? {}, port),
            `${overlay} ${other.name} ${port}`,
          );
    }
    const gateways = policiesOf('production').find(({ metadata }) => metadata?.name === 'gateways');
    assert.deepEqual(gateways?.spec, {
      podSelector: { matchLabels: { 'network/gateways': 'joined' } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'haproxy-controller' } } }],
          ports: [{ protocol: 'TCP', port: 8080 }],
        },
      ],
    });
    assert.deepEqual(namesOf(ofKind('demo', 'Ingress')), []);
  });

  test('ends TLS at the Ingress, for the public address and nothing else', () => {
    const [ingress, ...more] = ofKind('production', 'Ingress') as unknown as readonly {
      spec: {
        tls: { hosts: string[]; secretName: string }[];
        rules: { host: string; http: { paths: { path: string; backend: { service: unknown } }[] } }[];
      };
    }[];
    assert.ok(ingress && more.length === 0);
    const host = new URL(dotEnv.production.PUBLIC_URL).host;
    assert.deepEqual(ingress.spec.tls, [{ hosts: [host], secretName: 'clinic-tls' }]);
    assert.deepEqual(
      ingress.spec.rules.map((rule) => [
        rule.host,
        rule.http.paths.map(({ path, backend }) => [path, backend.service]),
      ]),
      [[host, [['/', { name: 'gateway', port: { name: 'http' } }]]]],
    );
  });

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

  test('mounts the same volumes and secrets, and writes nowhere else', () => {
    for (const overlay of overlays) {
      for (const { name, container, pod, compose } of pairs(overlay)) {
        const of = `${overlay} ${name}`;
        const volume = (wanted: string) => pod.spec?.volumes?.find((one) => one.name === wanted) ?? assert.fail(wanted);
        const mounts = container.volumeMounts ?? [];
        const targets = (compose.volumes ?? [])
          .map((one) => (typeof one === 'string' ? (one.split(':')[1] ?? '') : one.target))
          .filter((target) => !otherVolumes[overlay][name]?.includes(target));
        const usual = ['/tmp', '/run/secrets'];
        assert.deepEqual(
          mounts
            .map(({ mountPath }) => mountPath)
            .filter((path) => !usual.includes(path))
            .toSorted(),
          targets.toSorted(),
          of,
        );
        const tmp = mounts.find(({ mountPath }) => mountPath === '/tmp');
        assert.equal(volume(tmp?.name ?? '').emptyDir?.medium, 'Memory', of);
        const secrets = mounts.find(({ mountPath }) => mountPath === '/run/secrets');
        const { secretName, items = [] } = (secrets && volume(secrets.name).secret) ?? {};
        assert.deepEqual(
          items.map(({ key, path }) => [key, path]),
          (compose.secrets ?? []).map((secret) => [secret, secret]),
          of,
        );
        if (secrets) assert.deepEqual([secretName, secrets.readOnly], ['clinic-secrets', true], of);
      }
    }
  });

  test('keeps every secret out of its files', () => {
    const values = globSync('docker/demo-secrets/*', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8').trim(),
    );
    assert.ok(values.length > 5);
    for (const file of globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())) {
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      for (const value of values) assert.ok(!text.includes(value), `${file.name}: ${value}`);
      assert.doesNotMatch(text, /demo-?only|PRIVATE KEY|AGE-SECRET-KEY-1|mongodb(?:\+srv)?:\/\/[^/\s]*@/i, file.name);
    }
    for (const overlay of overlays) {
      assert.deepEqual(namesOf(ofKind(overlay, 'Secret')), []);
      // Not even a reference puts one into a list of processes.
      for (const { container } of pairs(overlay)) {
        assert.deepEqual(
          container.env?.filter(({ valueFrom }) => valueFrom?.secretKeyRef),
          container.env && [],
        );
        assert.deepEqual(
          container.envFrom?.filter(({ secretRef }) => secretRef),
          container.envFrom && [],
        );
      }
      const identity = pairs(overlay).find(({ name }) => name === 'svc-identity');
      assert.ok(identity);
      assert.equal(
        environmentOf(identity.container, objectsOf(overlay))['SESSION_KEY_FILE'],
        '/run/secrets/session-key',
      );
    }
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

  test('joins each pod to the same networks, and lets none connect that could not before', () => {
    for (const overlay of overlays) {
      const policies = ofKind(overlay, 'NetworkPolicy') as readonly NetworkPolicy[];
      assert.deepEqual(policies.find(({ metadata }) => metadata?.name === 'default-deny')?.spec, {
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
      });
      const all = pairs(overlay);
      const allowed = (from: Workload, to: Workload, port: number): boolean =>
        isAllowed(policies, from.pod.metadata?.labels ?? {}, to.pod.metadata?.labels ?? {}, port);
      for (const from of all) {
        assert.deepEqual(networksOf(from.pod), [...from.compose.networks].toSorted(), from.name);
        for (const to of all.filter(({ name }) => name !== from.name)) {
          const shared = from.compose.networks.some((network) => to.compose.networks.includes(network));
          for (const port of Object.values(portsOf(to.container))) {
            const of = `${overlay}: ${from.name} to ${to.name}:${port}`;
            assert.ok(shared || !allowed(from, to, port), of);
            // Metrics are for Prometheus only.
            if (port === 9464) assert.ok(!allowed(from, to, port), of);
          }
        }
      }
      // Enough for every address that a program is given.
      let addresses = 0;
      for (const from of all) {
        const environment = environmentOf(from.container, objectsOf(overlay));
        for (const [, host, port] of Object.values(environment)
          .join(' ')
          .matchAll(/\b(?:http:\/\/|mongodb:\/\/|^|\s)([a-z][a-z-]*):(\d+)/g)) {
          if (host === 'localhost') continue;
          const to = all.find(({ name }) => name === host);
          assert.ok(to, `${from.name} uses ${host}:${port}`);
          assert.ok(allowed(from, to, Number(port)), `${overlay}: ${from.name} to ${host}:${port}`);
          const service = ofKind(overlay, 'Service').find(({ metadata }) => metadata.name === host)?.spec as {
            ports: { port: number; targetPort: string }[];
          };
          const target = service.ports.find((one) => one.port === Number(port))?.targetPort;
          assert.equal(portsOf(to.container)[target ?? ''], Number(port), `${host}:${port}`);
          addresses += 1;
        }
      }
      assert.ok(addresses >= 11, String(addresses));
    }
  });

  test('opens the namespace for names, monitoring, the identity provider, the Ingress and the database alone', () => {
    const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
    const controller = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'haproxy-controller' } } };
    const names = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    };
    const joined = (network: string) => ({ matchLabels: { [`network/${network}`]: 'joined' } });
    const privateAddresses = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
    const everywhere = [
      // Neither the cluster nor the cloud's metadata server.
      { cidr: '0.0.0.0/0', except: [...privateAddresses, '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'].toSorted() },
      { cidr: '::/0', except: ['::1/128', 'fc00::/7', 'fe80::/10'] },
    ];
    const usual = {
      dns: [{}, [], [names], [53, 53]],
      monitoring: [joined('services'), [monitoring], [monitoring], [9464, 4318]],
      outside: [joined('outside'), [], everywhere.map((ipBlock) => ({ ipBlock })), [443]],
    };
    const expected = {
      demo: usual,
      production: {
        ...usual,
        'database-outside': [joined('database'), [], privateAddresses.map((cidr) => ({ ipBlock: { cidr } })), [27017]],
        gateways: [joined('gateways'), [controller], [], [8080]],
      },
    };
    for (const overlay of overlays) {
      const policies = ofKind(overlay, 'NetworkPolicy') as readonly NetworkPolicy[];
      const found: Record<string, unknown> = {};
      for (const { metadata, spec } of policies) {
        const name = metadata?.name ?? '';
        const rules = [...(spec?.ingress ?? []), ...(spec?.egress ?? [])];
        const from = spec?.ingress?.flatMap((rule) => rule.from ?? assert.fail(`${name} lets everybody in`)) ?? [];
        const to =
          spec?.egress?.flatMap((rule) => rule.to ?? assert.fail(`${name} lets its pods out everywhere`)) ?? [];
        const ports = rules.flatMap((rule) => rule.ports?.map(({ port }) => port) ?? assert.fail(`${name}: all ports`));
        const crosses = [...from, ...to].some(({ namespaceSelector, ipBlock }) => namespaceSelector ?? ipBlock);
        if (crosses) found[name] = [spec?.podSelector, from, to, ports];
        // The others are for the pods of one network.
        else if (name !== 'default-deny')
          assert.deepEqual(
            [spec?.podSelector, ...from, ...to.map((peer) => peer.podSelector)],
            [joined(name), { podSelector: joined(name) }, joined(name)],
            name,
          );
      }
      assert.deepEqual(found, expected[overlay], overlay);
    }
  });

  test('only names what is there', () => {
    for (const overlay of overlays) {
      const workloads = workloadsOf(objectsOf(overlay));
      const running = workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
      // Each program has a name, headless except for the gateway's, which is balanced by the Ingress controller.
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

  test('runs at least two pods of each program in production, spread over the nodes, and one in a demo', () => {
    const scaled = new Map(
      ofKind('production', 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [
        metadata.name,
        (spec as { minReplicas: number }).minReplicas,
      ]),
    );
    assert.deepEqual([...scaled.keys()].toSorted(), ['gateway', 'svc-clinic', 'svc-identity', 'svc-pharmacy']);
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
        const { strategy } = spec as { strategy: unknown };
        const usual = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
        assert.deepEqual(strategy, metadata.name === 'auth-emulator' ? { type: 'Recreate' } : usual, metadata.name);
      }
    }
  });

  test('names an image for each container: in a demo those that Compose builds', () => {
    for (const { name, container, compose, pod } of pairs('demo')) {
      // The Job of a restore is for a real installation.
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

describe('a new domain', { skip }, () => {
  let copy: string;
  let objects: readonly KubernetesObject[];
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'clinic-domain-'));
    for (const file of ['deploy/kubernetes', 'docker/mongo', 'svc-pharmacy/Dockerfile'])
      cpSync(join(root, file), join(copy, file), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    writeFiles({ name: 'lab-results', title: 'Lab results', roles: ['doctor'] }, copy);
    // As the first lines of its kustomization say.
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
