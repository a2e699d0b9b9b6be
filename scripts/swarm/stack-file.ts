// Derives the stack for Docker Swarm from docker-compose.yml as Compose reads it, so that both have the same settings.
import { posix } from 'node:path';
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

/** What an operator chooses. */
export interface StackOptions {
  readonly gateways: number;
  /** Replicas of each service. */
  readonly services: number;
  /** A folder that is the same on all nodes, such as a mounted network drive; absent on a single node. */
  readonly sharedFolder?: string | undefined;
}

/** Two of each front-end, so that one survives when a node goes. */
const frontEndReplicas = 2;

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
const patient = { start_period: '300s', retries: 12 };

/** Parts that run once, on the node that has their volume or the published port. */
const single = new Set(['mongo', 'auth-emulator', 'balancer']);

/**
 * Whether the session key is in a volume, as in a demo: then every replica that signs with it must run on that node.
 */
const keepsKey = ({ environment }: ComposeService): boolean =>
  environment?.['SESSION_KEY_FILE'] !== undefined && !environment['SESSION_KEY_FILE']?.startsWith('/run/secrets/');

/** Whether a part must run on the node that the operator labelled. */
const isPlaced = (name: string, service: ComposeService): boolean => single.has(name) || keepsKey(service);

function countOf(name: string, { gateways, services }: StackOptions): number {
  if (single.has(name)) return 1;
  if (name === 'gateway') return gateways;
  return name.startsWith('svc-') ? services : frontEndReplicas;
}

/** A volume that parts on several nodes use: in the shared folder, if there is one. */
const sharedVolume = (name: string, folder: string | undefined): object =>
  folder === undefined ? {} : { driver_opts: { type: 'none', o: 'bind', device: posix.join(folder, name) } };

function serviceOf(name: string, service: ComposeService, options: StackOptions): object {
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
      replicas: deploy.replicas === 0 ? 0 : countOf(name, options),
      // A name gives the address of every task: gateway and balancer distribute requests themselves.
      endpoint_mode: 'dnsrr',
      ...updates(!single.has(name)),
      restart_policy: { condition: 'any', delay: '1s' },
      ...(isPlaced(name, service) ? { placement: { constraints: ['node.labels.clinic==true'] } } : {}),
      resources: { limits: { cpus: String(cpus), memory, pids } },
    },
  };
}

/**
 * @param config - the output of `docker compose config --format json`
 * @returns the content of a file for `docker stack deploy`
 */
export function stackFile(config: unknown, options: StackOptions): object {
  const { services, networks, volumes, secrets } = composeConfig.parse(config);
  const running = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
  const used = new Set(running.flatMap(([, service]) => (service.secrets ?? []).map(({ source }) => source)));
  const volumesOf = (parts: typeof running): ReadonlySet<string> =>
    new Set(parts.flatMap(([, service]) => (service.volumes ?? []).map(({ source }) => source)));
  const mounted = volumesOf(running);
  const anywhere = volumesOf(running.filter(([name, service]) => !isPlaced(name, service)));
  const named = new Set(running.flatMap(([, service]) => Object.keys(service.networks)));
  const only = <T>(all: Readonly<Record<string, T>>, names: ReadonlySet<string>): [string, T][] =>
    Object.entries(all).filter(([name]) => names.has(name));
  return {
    version: '3.9',
    services: Object.fromEntries(running.map(([name, service]) => [name, serviceOf(name, service, options)])),
    networks: Object.fromEntries(
      only(networks, named).map(([name, { internal }]) => [
        name,
        { driver: 'overlay', ...(internal && { internal: true }) },
      ]),
    ),
    volumes: Object.fromEntries(
      only(volumes, mounted).map(([name]) => [
        name,
        anywhere.has(name) ? sharedVolume(name, options.sharedFolder) : {},
      ]),
    ),
    secrets: Object.fromEntries(only(secrets, used).map(([name, { file }]) => [name, { file }])),
  };
}
