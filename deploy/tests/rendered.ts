// Renders an overlay with kustomize, and derives what Kubernetes would do with it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import type { Container, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from 'kubernetes-types/networking/v1.d.ts';

/** Any object of the API. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

/** An object that creates pods. */
export interface Workload {
  readonly name: string;
  readonly kind: string;
  readonly replicas: number | undefined;
  readonly pod: PodTemplateSpec;
  /** The container named like the workload. */
  readonly container: Container;
}

/**
 * Renders an overlay.
 *
 * @throws AssertionError if kustomize fails or warns
 */
export function render(kubectl: string, folder: string): readonly KubernetesObject[] {
  const { status, stdout, stderr } = spawnSync(kubectl, ['kustomize', folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.deepEqual([status, stderr], [0, ''], folder);
  return parseAllDocuments(stdout).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as KubernetesObject;
  });
}

/** All objects that create pods. */
export function workloadsOf(objects: readonly KubernetesObject[]): readonly Workload[] {
  return objects.flatMap(({ kind, metadata: { name }, spec }) => {
    const { template, replicas, jobTemplate } = (spec ?? {}) as {
      template?: PodTemplateSpec;
      replicas?: number;
      jobTemplate?: { spec: { template: PodTemplateSpec } };
    };
    const pod = template ?? jobTemplate?.spec.template;
    if (!pod) return [];
    const container = pod.spec?.containers.find((one) => one.name === name);
    assert.ok(container, `${kind} ${name} has no container of its name`);
    return [{ name, kind, replicas, pod, container }];
  });
}

/**
 * A container's environment, as the kubelet makes it: ConfigMaps first, then single variables with `$(NAME)` replaced.
 */
export function environmentOf(
  { env = [], envFrom = [], name: container }: Container,
  objects: readonly KubernetesObject[],
): Readonly<Record<string, string>> {
  const mapOf = (name: string | undefined): Readonly<Record<string, string>> =>
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data ??
    assert.fail(`${container} uses a ConfigMap ${name}, which isn't there`);
  const result: Record<string, string> = {};
  for (const { configMapRef } of envFrom) Object.assign(result, mapOf(configMapRef?.name));
  for (const { name, value, valueFrom } of env) {
    const ref = valueFrom?.configMapKeyRef;
    result[name] = ref
      ? (mapOf(ref.name)[ref.key] ?? assert.fail(`the ConfigMap ${ref.name} has no ${ref.key}`))
      : (value ?? '').replaceAll(/\$\((\w+)\)/g, (whole, other: string) => result[other] ?? whole);
  }
  return result;
}

/** The networks that a pod has joined. */
export function networksOf({ metadata }: PodTemplateSpec): readonly string[] {
  return Object.keys(metadata?.labels ?? {})
    .filter((label) => label.startsWith('network/'))
    .map((label) => label.slice('network/'.length))
    .toSorted();
}

type Labels = Readonly<Record<string, string>>;

const selects = (selector: { matchLabels?: Labels } | undefined, labels: Labels): boolean =>
  Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value);

/** Whether policies let a pod connect to another one of the namespace at a port. */
export function isAllowed(policies: readonly NetworkPolicy[], from: Labels, to: Labels, port: number): boolean {
  const peer = (peers: readonly NetworkPolicyPeer[] | undefined, labels: Labels): boolean =>
    !peers || peers.some((one) => one.podSelector && !one.namespaceSelector && selects(one.podSelector, labels));
  const at = (ports: readonly NetworkPolicyPort[] | undefined): boolean =>
    !ports ||
    ports.some(
      ({ port: first, endPort, protocol }) =>
        (protocol ?? 'TCP') === 'TCP' && port >= Number(first) && port <= (endPort ?? Number(first)),
    );
  const way = (type: 'Egress' | 'Ingress', own: Labels, other: Labels): boolean => {
    const mine = policies.filter(({ spec }) => spec?.policyTypes?.includes(type) && selects(spec.podSelector, own));
    if (mine.length === 0) return true;
    return mine.some(({ spec }) =>
      type === 'Egress'
        ? spec?.egress?.some((rule) => peer(rule.to, other) && at(rule.ports))
        : spec?.ingress?.some((rule) => peer(rule.from, other) && at(rule.ports)),
    );
  };
  return way('Egress', from, to) && way('Ingress', to, from);
}
