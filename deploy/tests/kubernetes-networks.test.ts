import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import { environmentOf, isAllowed, networksOf, workloadsOf, type Workload } from './rendered.ts';
import { skip, dotEnv, type Overlay, overlays, objectsOf, ofKind, namesOf, pairs, portsOf } from './installations.ts';

describe('deploy/kubernetes', { skip }, () => {
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

  test('terminates TLS at the Ingress, for the public address and nothing else', () => {
    const [ingress, ...more] = ofKind('production', 'Ingress') as unknown as readonly {
      spec: {
        tls: { hosts: string[]; secretName: string }[];
        rules: { host: string; http: { paths: { path: string; backend: { service: unknown } }[] } }[];
      };
    }[];
    assert.ok(ingress && more.length === 0);
    const host = new URL(dotEnv.production.PUBLIC_URL).host;
    assert.match(JSON.stringify(ingress), /"haproxy\.org\/rate-limit-requests":"\d+"/);
    assert.deepEqual(ingress.spec.tls, [{ hosts: [host], secretName: 'clinic-tls' }]);
    assert.deepEqual(
      ingress.spec.rules.map((rule) => [
        rule.host,
        rule.http.paths.map(({ path, backend }) => [path, backend.service]),
      ]),
      [[host, [['/', { name: 'gateway', port: { name: 'http' } }]]]],
    );
  });

  test('joins each pod to the same networks, and allows no other connection', () => {
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

  test('opens the namespace for names, monitoring, the identity provider, mail, the Ingress and the database alone', () => {
    const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
    const controller = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'haproxy-controller' } } };
    const names = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    };
    const openShiftNames = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } } };
    const joined = (network: string) => ({ matchLabels: { [`network/${network}`]: 'joined' } });
    const privateAddresses = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
    const everywhere = [
      // Neither the cluster nor the cloud's metadata server.
      { cidr: '0.0.0.0/0', except: [...privateAddresses, '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'].toSorted() },
      { cidr: '::/0', except: ['::1/128', 'fc00::/7', 'fe80::/10'] },
    ];
    const usual = {
      dns: [{}, [], [names, { ipBlock: { cidr: '169.254.20.10/32' } }, openShiftNames], [53, 53, 5353, 5353]],
      monitoring: [joined('services'), [monitoring], [monitoring], [9464, 4318]],
      outside: [joined('outside'), [], everywhere.map((ipBlock) => ({ ipBlock })), [443]],
      'mail-server': [
        { matchLabels: { 'app.kubernetes.io/name': 'svc-messages' } },
        [],
        everywhere.map((ipBlock) => ({ ipBlock })),
        [465, 587],
      ],
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
        // All other policies only connect the pods of one network.
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
});
