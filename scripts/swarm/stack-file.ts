// Derives the stack for Docker Swarm from docker-compose.yml as Compose reads it, so that both have the same settings.
import { z } from 'zod';

const limits = z.object({
  cpus: z.union([z.number(), z.string()]),
  memory: z.string(),
  pids: z.number(),
});

const healthcheck = z.object({
  test: z.array(z.string()).optional(),
  interval: z.string().optional(),
  timeout: z.string().optional(),
  retries: z.number().optional(),
  start_period: z.string().optional(),
});

const composeService = z.object({
  image: z.string(),
  command: z.array(z.string()).nullish(),
  user: z.string().optional(),
  environment: z.record(z.string(), z.string().nullable()).optional(),
  networks: z.record(z.string(), z.unknown()),
  volumes: z
    .array(
      z.object({
        type: z.string(),
        source: z.string(),
        target: z.string(),
        read_only: z.boolean().optional(),
      }),
    )
    .optional(),
  secrets: z.array(z.object({ source: z.string(), target: z.string().optional() })).optional(),
  ports: z.array(z.object({ target: z.number(), published: z.string() })).optional(),
  healthcheck: healthcheck.optional(),
  tmpfs: z.array(z.string()),
  cap_drop: z.array(z.string()),
  read_only: z.boolean(),
  stop_grace_period: z.string(),
  logging: z.unknown(),
  profiles: z.array(z.string()).optional(),
  deploy: z.object({ replicas: z.number().optional(), resources: z.object({ limits }) }),
});

/** The part of `docker compose config --format json` that a stack needs. */
const composeConfig = z.object({
  services: z.record(z.string(), composeService),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

type ComposeService = z.infer<typeof composeService>;

/** How many of each part run. */
export interface Replicas {
  readonly gateways: number;
  /** Of each service. */
  readonly services: number;
}

/**
 * A new task starts beside the old one, which is stopped once the new one is healthy; a version whose tasks fail is
 * rolled back. What has data in a volume, or holds the published port, can't run twice.
 */
const updates = (twice: boolean) => {
  const steps = { parallelism: 1, order: twice ? 'start-first' : 'stop-first', monitor: '5s' };
  return { update_config: { ...steps, failure_action: 'rollback' }, rollback_config: steps };
};

/**
 * Swarm kills unhealthy tasks, while Compose only reports them. A restart would prolong the wait for the database or a
 * busy machine, so only a task that hasn't responded for minutes is replaced.
 */
const patient = { start_period: '180s', retries: 20 };

/** Parts that run once, on the node that has their volume or the published port. */
const single = new Set(['mongo', 'auth-emulator', 'balancer']);

/**
 * Whether the session key is in a volume, as in a demo: then every replica that signs with it must run on that node.
 */
const keepsKey = ({ environment }: ComposeService): boolean =>
  environment?.['SESSION_KEY_FILE'] !== undefined && !environment['SESSION_KEY_FILE']?.startsWith('/run/secrets/');

function countOf(name: string, { gateways, services }: Replicas): number {
  if (name === 'gateway') return gateways;
  return name.startsWith('svc-') ? services : 1;
}

function serviceOf(name: string, service: ComposeService, replicas: Replicas): object {
  const { deploy, ports, networks, tmpfs, volumes, profiles: _unused, ...rest } = service;
  const { cpus, memory, pids } = deploy.resources.limits;
  return {
    ...rest,
    command: rest.command ?? undefined,
    healthcheck: { ...rest.healthcheck, ...patient },
    // Swarm ignores the key tmpfs.
    volumes: [...(volumes ?? []), ...tmpfs.map((target) => ({ type: 'tmpfs', target }))],
    networks: Object.keys(networks),
    // The balancer sees its visitors' addresses only without Swarm's own balancing.
    ...(ports && {
      ports: ports.map(({ target, published }) => ({
        target,
        published: Number(published),
        protocol: 'tcp',
        mode: 'host',
      })),
    }),
    deploy: {
      replicas: deploy.replicas === 0 ? 0 : countOf(name, replicas),
      // A name gives the address of every task: gateway and balancer distribute requests themselves.
      endpoint_mode: 'dnsrr',
      ...updates(!single.has(name)),
      restart_policy: { condition: 'any', delay: '1s' },
      ...(single.has(name) || keepsKey(service) ? { placement: { constraints: ['node.labels.clinic==true'] } } : {}),
      resources: { limits: { cpus: String(cpus), memory, pids } },
    },
  };
}

/**
 * @param config - the output of `docker compose config --format json`
 * @returns the content of a file for `docker stack deploy`
 */
export function stackFile(config: unknown, replicas: Replicas): object {
  const { services, networks, volumes, secrets } = composeConfig.parse(config);
  const running = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
  const used = new Set(running.flatMap(([, service]) => (service.secrets ?? []).map(({ source }) => source)));
  const mounted = new Set(running.flatMap(([, service]) => (service.volumes ?? []).map(({ source }) => source)));
  const named = new Set(running.flatMap(([, service]) => Object.keys(service.networks)));
  const only = <T>(all: Readonly<Record<string, T>>, names: ReadonlySet<string>): [string, T][] =>
    Object.entries(all).filter(([name]) => names.has(name));
  return {
    version: '3.9',
    services: Object.fromEntries(running.map(([name, service]) => [name, serviceOf(name, service, replicas)])),
    networks: Object.fromEntries(
      only(networks, named).map(([name, { internal }]) => [
        name,
        { driver: 'overlay', ...(internal && { internal: true }) },
      ]),
    ),
    volumes: Object.fromEntries(only(volumes, mounted).map(([name]) => [name, {}])),
    secrets: Object.fromEntries(only(secrets, used).map(([name, { file }]) => [name, { file }])),
  };
}
