import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackFile } from './stack-file.ts';

const common = {
  networks: { services: null },
  tmpfs: ['/tmp'],
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  read_only: true,
  restart: 'unless-stopped',
  stop_grace_period: '15s',
  logging: { driver: 'json-file' },
  deploy: { replicas: 1, resources: { limits: { cpus: 0.5, memory: '402653184', pids: 100 } } },
};
const volume = { type: 'volume', source: 'data', target: '/data/db', volume: {} };

/** As `docker compose config --format json` prints it. */
const config = {
  name: 'clinic',
  services: {
    balancer: {
      ...common,
      image: 'clinic/balancer:1',
      ports: [{ mode: 'ingress', host_ip: '127.0.0.1', target: 8080, published: '80', protocol: 'tcp' }],
    },
    'svc-clinic': {
      ...common,
      build: { context: '.', dockerfile: 'svc-clinic/Dockerfile' },
      image: 'clinic/svc-clinic:1',
      command: null,
      environment: { MONGODB_DATABASE: 'clinic' },
      secrets: [{ source: 'mongo-clinic', target: '/run/secrets/mongo-clinic' }],
      depends_on: { mongo: { condition: 'service_healthy' } },
    },
    mongo: {
      ...common,
      image: 'mongo:8.0',
      networks: { database: null },
      volumes: [volume],
      healthcheck: { test: ['CMD', 'bash', '/health.sh'], interval: '10s', retries: 5, start_period: '1m30s' },
    },
    backup: { ...common, image: 'clinic/backup:1', profiles: ['backup'], networks: { unused: null } },
  },
  networks: { services: { name: 'clinic_services', internal: true }, database: { internal: true }, unused: {} },
  volumes: { data: { name: 'clinic_data' }, backups: {} },
  secrets: { 'mongo-clinic': { file: '/secrets/mongo-clinic' }, 'mongo-root': { file: '/secrets/mongo-root' } },
};

interface Stack {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly deploy: {
          readonly replicas: number;
          readonly placement?: { readonly constraints: readonly string[] };
          readonly update_config: { readonly order: string };
        };
        readonly [field: string]: unknown;
      }
    >
  >;
  readonly [part: string]: unknown;
}
const make = (from: unknown = config, sharedFolder?: string): Stack =>
  stackFile(from, { gateways: 2, services: 3, sharedFolder }) as Stack;

test('a service has its settings and limits, and its replicas are replaced one by one', () => {
  const { 'svc-clinic': service } = make().services;
  const steps = { parallelism: 1, order: 'start-first', monitor: '5s' };
  assert.deepEqual(service, {
    image: 'clinic/svc-clinic:1',
    command: undefined,
    // The rest of it is in the image.
    healthcheck: { start_period: '300s', retries: 12 },
    environment: { MONGODB_DATABASE: 'clinic' },
    secrets: [{ source: 'mongo-clinic', target: '/run/secrets/mongo-clinic' }],
    networks: ['services'],
    volumes: [{ type: 'tmpfs', target: '/tmp' }],
    cap_drop: ['ALL'],
    read_only: true,
    stop_grace_period: '15s',
    logging: { driver: 'json-file' },
    deploy: {
      replicas: 3,
      endpoint_mode: 'dnsrr',
      update_config: { ...steps, failure_action: 'rollback' },
      rollback_config: steps,
      restart_policy: { condition: 'any', delay: '1s' },
      resources: { limits: { cpus: '0.5', memory: '402653184', pids: 100 } },
    },
  });
});

test('a service with data or the published port runs once, on its node', () => {
  const { mongo, balancer } = make().services;
  for (const part of [mongo, balancer]) {
    assert.equal(part?.deploy.replicas, 1);
    assert.equal(part?.deploy.update_config.order, 'stop-first');
    assert.deepEqual(part?.deploy.placement, { constraints: ['node.labels.clinic==true'] });
  }
  assert.deepEqual(mongo?.['healthcheck'], {
    test: ['CMD', 'bash', '/health.sh'],
    interval: '10s',
    start_period: '300s',
    retries: 12,
  });
  assert.deepEqual(balancer?.['ports'], [{ target: 8080, published: 80, protocol: 'tcp', mode: 'host' }]);
});

test('identity stays on the node of its key only if that is in a volume', () => {
  const identity = (file: string) => ({
    ...config,
    services: { 'svc-identity': { ...config.services['svc-clinic'], environment: { SESSION_KEY_FILE: file } } },
  });
  const placementOf = (file: string) => make(identity(file)).services['svc-identity']?.deploy.placement;
  assert.ok(placementOf('/var/lib/clinic/session-key.pem'));
  assert.equal(placementOf('/run/secrets/session-key'), undefined);
});

test('the stack has only services that run all the time, with their networks, volumes and secrets', () => {
  const { services, networks, volumes, secrets } = make();
  assert.deepEqual(Object.keys(services), ['balancer', 'svc-clinic', 'mongo']);
  assert.deepEqual(networks, {
    services: { driver: 'overlay', internal: true },
    database: { driver: 'overlay', internal: true },
  });
  assert.deepEqual(volumes, { data: {} });
  assert.deepEqual(secrets, { 'mongo-clinic': { file: '/secrets/mongo-clinic' } });
});

test('a front-end runs twice, and all its replicas have the releases in the shared folder', () => {
  const releases = { type: 'volume', source: 'releases', target: '/var/lib/releases', volume: {} };
  const { mongo } = config.services;
  const withFrontEnd = {
    ...config,
    services: { mongo, 'mf-clinic': { ...common, image: 'clinic/mf-clinic:1', volumes: [releases] } },
    volumes: { ...config.volumes, releases: {} },
  };
  const { services, volumes } = make(withFrontEnd, '/mnt/clinic');
  assert.equal(services['mf-clinic']?.deploy.replicas, 2);
  assert.deepEqual(volumes, {
    data: {},
    releases: { driver_opts: { type: 'none', o: 'bind', device: '/mnt/clinic/releases' } },
  });
  assert.deepEqual(make(withFrontEnd).volumes, { data: {}, releases: {} });
});
