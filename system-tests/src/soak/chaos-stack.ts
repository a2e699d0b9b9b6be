import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { frontEnds, services } from '../../../scripts/stack/parts.ts';
import { foundations, programsOf } from '../../../scripts/stack/programs.ts';
import { Supervisor, type Program } from '../../../scripts/stack/supervisor.ts';

/** The clinic as `npm start` runs it, with ways to break it. */
export interface ChaosStack {
  readonly url: string;
  readonly mongoUri: string;
  /** Names of the programs, as the supervisor knows them. */
  readonly programs: readonly string[];
  /** The current process of this program. @returns `undefined` while it is being restarted */
  pidOf(program: string): number | undefined;
  /** Cuts a service off the network, or reconnects it. */
  cut(service: string, off: boolean): void;
  /** @param keep - keeps data and logs, at {@link ChaosStack.dataDir} */
  close(keep: boolean): Promise<void>;
  readonly dataDir: string;
}

/** A TCP forwarder that can be cut. */
class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #off = false;

  constructor(port: number, target: number) {
    this.#server = createServer((near) => {
      if (this.#off) {
        near.resetAndDestroy();
        return;
      }
      const far = connect(target, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
      }
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
      near.pipe(far).pipe(near);
    }).listen(port, '127.0.0.1');
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

/** Starts everything on free ports with its own data, using the supervisor of `npm start`. */
export async function startChaosStack(): Promise<ChaosStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-chaos-'));
  const ports = new Map<string, number>();
  for (const name of [
    'gateway',
    ...foundations,
    ...services,
    ...frontEnds,
    ...services.map((service) => `wire ${service}`),
  ])
    ports.set(name, await getPort({ host: '127.0.0.1', exclude: [...ports.values()] }));
  const portOf = (name: string): number => ports.get(name) ?? 0;
  const settings = { port: portOf('gateway'), dataDir, watch: false, mongodbUri: undefined, remoteOverrides: false };
  const wires = new Map(services.map((service) => [service, new Wire(portOf(`wire ${service}`), portOf(service))]));
  const byWire = (name: string): string => `http://127.0.0.1:${portOf(`wire ${name}`)}`;
  const wired = (program: Program): Program => {
    const { env } = program;
    return {
      ...program,
      env: {
        ...env,
        ...(env['IDENTITY_URL'] !== undefined && { IDENTITY_URL: byWire('identity') }),
        ...(env['SERVICES'] !== undefined && { SERVICES: services.map((name) => `${name}=${byWire(name)}`).join() }),
        // All traffic comes from one address and few people, so raise the limits; they have their own tests.
        SIGN_INS_PER_MINUTE_AND_ADDRESS: '100000',
        SIGN_INS_PER_MINUTE_AND_ACCOUNT: '100000',
        REGISTRATIONS_PER_HOUR_AND_NETWORK: '100000',
        CLINIC_MAX_OPEN_APPOINTMENTS: '100000',
        CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: '100000',
        CLINIC_MAX_CHANGES_PER_DAY: '1000000',
        PHARMACY_MAX_OPEN_ORDERS: '100000',
        PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '200',
        PHARMACY_MAX_OPEN_MEDICINES: '1000',
        PHARMACY_UNITS_PER_CUSTOMER: 'box=10000,bottle=10000,strip=10000,piece=10000,tablet=10000,ml=10000,mg=10000',
      },
    };
  };
  const layers = programsOf(settings, ports).map((layer) => layer.map(wired));
  const folders = new Map(layers.flat().map(({ name, cwd }) => [cwd, name]));
  const supervisor = new Supervisor(join(dataDir, 'logs'), () => undefined);
  for (const layer of layers) await Promise.all(layer.map((program) => supervisor.start(program)));

  return {
    url: `http://127.0.0.1:${settings.port}`,
    mongoUri: `mongodb://127.0.0.1:${portOf('mongo')}/?replicaSet=rs0`,
    programs: [...folders.values()],
    pidOf: (program) => childrenOf(process.pid).find((pid) => folders.get(folderOf(pid)) === program),
    cut: (service, off) => wires.get(service)?.cut(off),
    dataDir,
    async close(keep) {
      await supervisor.stop();
      for (const wire of wires.values()) wire.close();
      if (!keep) await rm(dataDir, { recursive: true });
    },
  };
}

/** Live child processes of this one; Linux only. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      // 'pid (name) state parent …'; a process may be gone by now.
      const [state, of] = statOf(pid);
      return of === String(parent) && state !== 'Z';
    });
}

function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
