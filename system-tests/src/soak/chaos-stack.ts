import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { frontEnds, services } from '../../../scripts/stack/parts.ts';
import { foundations, programsOf } from '../../../scripts/stack/programs.ts';
import { roomyDailyLimits } from '@clinic/service-kit/testing';
import { Supervisor, type Program } from '../../../scripts/stack/supervisor.ts';
import { readyReplicas } from '../restarts/replicated-clinic.ts';

/** How many processes share the work. */
export interface StackSize {
  readonly gateways: number;
  /** Of each service. */
  readonly replicas: number;
}

/** The clinic as `npm start` runs it, with replicas, and with ways to break it. */
export interface ChaosStack {
  /** Of each gateway. */
  readonly urls: readonly string[];
  readonly mongoUri: string;
  /** The processes of each program, as the supervisor knows them: `svc-clinic` has `svc-clinic-1`, `svc-clinic-2`. */
  readonly processes: ReadonlyMap<string, readonly string[]>;
  /** The current process with this name. @returns `undefined` while it is being restarted */
  pidOf(name: string): number | undefined;
  /** Cuts a process of a service off the network, or reconnects it. */
  cut(name: string, off: boolean): void;
  /** Whether every gateway runs and sends requests to every process of every service. */
  isWhole(): Promise<boolean>;
  /** @param keep - keeps data and logs, at {@link ChaosStack.dataDir} */
  close(keep: boolean): Promise<void>;
  readonly dataDir: string;
}

/** A TCP forwarder that can be cut. */
class Wire {
  readonly #sockets = new Set<Socket>();
  #off = false;

  readonly #server = createServer((near) => this.#forward(near));
  readonly #target: number;

  /** @param target - port that it forwards to */
  constructor(target: number) {
    this.#target = target;
  }

  /** @returns its port */
  async open(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  #forward(near: Socket): void {
    if (this.#off) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.#target, '127.0.0.1');
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    }
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  }

  cut(off: boolean): void {
    this.#off = off;
    if (off) for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.cut(true);
    this.#server.close();
  }
}

/** All traffic comes from one address and few people, so the limits are raised; they have their own tests. */
const limits = {
  SIGN_INS_PER_MINUTE_AND_ADDRESS: '100000',
  SIGN_INS_PER_MINUTE_AND_ACCOUNT: '100000',
  REGISTRATIONS_PER_HOUR_AND_NETWORK: '100000',
  CLINIC_MAX_OPEN_APPOINTMENTS: '100000',
  CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: '100000',
  CLINIC_MAX_CHANGES_PER_DAY: '1000000',
  DAILY_LIMITS: roomyDailyLimits,
  PHARMACY_MAX_OPEN_ORDERS: '100000',
  PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '200',
  PHARMACY_MAX_OPEN_MEDICINES: '1000',
  PHARMACY_UNITS_PER_CUSTOMER: 'box=10000,bottle=10000,strip=10000,piece=10000,tablet=10000,ml=10000,mg=10000',
};

/** A process's ports: its own, and the one of the wire through which it is reached if it is a service's. */
interface ProcessPorts {
  readonly own: number;
  readonly wire: number;
  /** A gateway's. */
  readonly metrics: number;
}

const local = (port: number): string => `http://127.0.0.1:${port}`;

/**
 * Starts everything on free ports with its own data, using the supervisor of `npm start`. A start that fails stops what
 * it began.
 *
 * @param env - settings of all programs
 */
export async function startChaosStack(
  size: StackSize,
  env: Readonly<Record<string, string>> = {},
): Promise<ChaosStack> {
  await using begun = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-chaos-'));
  let keepData = false;
  begun.defer(async () => void (keepData || (await rm(dataDir, { recursive: true }))));
  const ports = new Map<string, number>();
  for (const name of ['gateway', ...foundations, ...services, ...frontEnds]) ports.set(name, await holdPort());
  const wires = new Map<string, Wire>();
  begun.defer(() => wires.forEach((wire) => wire.close()));
  const copies = await portsOfCopies(size, wires);
  const settings = { port: 0, dataDir, watch: false, mongodbUri: undefined, remoteOverrides: false, domain: undefined };
  const layers = programsOf(settings, ports).map((layer) => layer.flatMap((program) => copiesOf(program, copies)));
  const supervisor = new Supervisor(join(dataDir, 'logs'), () => undefined);
  begun.defer(() => supervisor.stop());
  for (const layer of layers)
    await Promise.all(layer.map(({ process }) => supervisor.start({ ...process, env: { ...process.env, ...env } })));

  const gateways = [...(copies.get('gateway')?.values() ?? [])];
  const replicas = services.flatMap((service) => [...(copies.get(`svc-${service}`)?.values() ?? [])]);
  const all = layers.flat();
  const running = begun.move();
  return {
    urls: gateways.map(({ own }) => local(own)),
    mongoUri: `mongodb://127.0.0.1:${ports.get('mongo')}/?replicaSet=rs0`,
    processes: new Map(
      [...Map.groupBy(all, ({ program }) => program)].map(([program, list]) => [
        program,
        list.map(({ process }) => process.name),
      ]),
    ),
    pidOf: (name) => supervisor.pidOf(name),
    cut: (name, off) => wires.get(name)?.cut(off),
    async isWhole() {
      // A gateway that is being restarted doesn't answer.
      return Promise.all(gateways.map(({ metrics }) => readyReplicas(metrics))).then(
        (seen) => seen.every((ready) => replicas.every(({ wire }) => ready.has(wire))),
        () => false,
      );
    },
    dataDir,
    close(keep) {
      keepData = keep;
      return running.disposeAsync();
    },
  };
}

type Copies = ReadonlyMap<string, ReadonlyMap<string, ProcessPorts>>;

/** The processes of gateway and services with their ports, by program. @param wires - gets a service's, by process */
async function portsOfCopies({ gateways, replicas }: StackSize, wires: Map<string, Wire>): Promise<Copies> {
  const copies = new Map<string, Map<string, ProcessPorts>>();
  for (const program of ['gateway', ...services.map((service) => `svc-${service}`)]) {
    const count = program === 'gateway' ? gateways : replicas;
    const own = new Map<string, ProcessPorts>();
    for (let number = 1; number <= count; number += 1) {
      const name = count === 1 ? program : `${program}-${number}`;
      const port = await holdPort();
      const wire = new Wire(port);
      wires.set(name, wire);
      own.set(name, { own: port, wire: await wire.open(), metrics: await holdPort() });
    }
    copies.set(program, own);
  }
  return copies;
}

/** A program's processes, which reach services through their wires. */
function copiesOf(program: Program, copies: Copies): { readonly program: string; readonly process: Program }[] {
  const addresses = (service: string): string =>
    [...(copies.get(`svc-${service}`)?.values() ?? [])].map(({ wire }) => local(wire)).join('|');
  const env = {
    ...program.env,
    ...(program.env['IDENTITY_URL'] !== undefined && { IDENTITY_URL: addresses('identity') }),
    ...(program.env['SERVICES'] !== undefined && {
      SERVICES: services.map((name) => `${name}=${addresses(name)}`).join(),
    }),
    ...limits,
  };
  const own = copies.get(program.name);
  if (!own) return [{ program: program.name, process: { ...program, env } }];
  return [...own].map(([name, ports]) => ({
    program: program.name,
    process: {
      ...program,
      name,
      env: {
        ...env,
        PORT: String(ports.own),
        ...(program.name === 'gateway' && { METRICS_PORT: String(ports.metrics) }),
      },
      readyUrl: program.name === 'gateway' ? local(ports.own) : `${local(ports.own)}/health/ready`,
    },
  }));
}
