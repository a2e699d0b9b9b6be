// The rendered installations of deploy/kubernetes, and what may differ from docker-compose.yml.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import type { Env } from '../../scripts/compose/interpolate.ts';
import { root } from '../../scripts/stack/settings.ts';
import { composeServices, type ComposeService } from './compose-file.ts';
import { ensureKubectl } from './kubectl.ts';
import { render, workloadsOf, type KubernetesObject, type Workload } from './rendered.ts';

export const folder = join(root, 'deploy/kubernetes');
export const found = await ensureKubectl();
// An unreachable mirror is no fault of the files; the skipped tests are named and counted.
export const skip = 'missing' in found ? `deploy/kubernetes is not checked here: ${found.missing}` : false;
export const kubectl = 'file' in found ? found.file : '';

/** `.env` of the same installation in Compose. */
export const dotEnv = {
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
export type Overlay = keyof typeof dotEnv;
export const overlays = ['demo', 'production'] as const satisfies readonly Overlay[];

/** Containers that Kubernetes replaces: by the Ingress, and in production an external database and Firebase. */
export const replaced: Readonly<Record<Overlay, readonly string[]>> = {
  demo: ['balancer'],
  production: ['balancer', 'mongo', 'auth-emulator'],
};

/** Settings that differ from Compose's for a reason. */
export const otherSettings: Readonly<Record<Overlay, Readonly<Record<string, Env>>>> = {
  demo: {
    // No balancer is in front, a comma-separated list can be extended.
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

const releases = ['shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin', 'mf-messages'].map(
  (name) => `/var/lib/releases/${name}`,
);

const identityVolumes = ['/var/lib/clinic', ...releases];

/** Volumes that only Compose has. */
export const otherVolumes: Readonly<Record<Overlay, Readonly<Record<string, readonly string[]>>>> = {
  // A demo's session key is a secret here. The accounts of a demo aren't restored.
  demo: { gateway: releases, 'svc-identity': identityVolumes, restore: ['/accounts'] },
  production: {
    gateway: releases,
    'svc-identity': identityVolumes,
    backup: ['/accounts'],
    restore: ['/accounts'],
  },
};

const rendered = new Map<Overlay, readonly KubernetesObject[]>();
const restore: KubernetesObject[] = [];
if (kubectl !== '') {
  for (const overlay of overlays) rendered.set(overlay, render(kubectl, join(folder, overlay)));
  restore.push(...render(kubectl, join(folder, 'restore')));
}
/** All objects of an overlay, and the Job of a restore. */
export const objectsOf = (overlay: Overlay): readonly KubernetesObject[] => [
  ...(rendered.get(overlay) ?? []),
  ...restore,
];
export const ofKind = (overlay: Overlay, kind: string): readonly KubernetesObject[] =>
  objectsOf(overlay).filter((object) => object.kind === kind);
export const namesOf = (objects: readonly { metadata: { name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name).toSorted();

/** Workloads of an overlay with the containers of the Compose file that they stand for. */
export function pairs(overlay: Overlay): readonly (Workload & { readonly compose: ComposeService })[] {
  const services = composeServices(dotEnv[overlay]);
  return workloadsOf(objectsOf(overlay)).map((workload) => ({
    ...workload,
    compose: services.get(workload.name) ?? assert.fail(`docker-compose.yml has no ${workload.name}`),
  }));
}

export const dockerfileOf = ({ build }: ComposeService): string | undefined =>
  build && readFileSync(join(root, build.dockerfile), 'utf8');
export const portsOf = ({ ports = [] }: Container): Readonly<Record<string, number>> =>
  Object.fromEntries(ports.map(({ name = '', containerPort }) => [name, containerPort]));
export const millicores = (cpu: string): number => (cpu.endsWith('m') ? Number.parseInt(cpu) : Number(cpu) * 1000);
export const seconds = (text: string): number => Number.parseInt(text);
/** Compose's 384M is what Kubernetes calls 384Mi. */
export const mebibytes = (memory: string): number => Number(/^(\d+)Mi?$/.exec(memory)?.[1] ?? Number.NaN);
