import path from 'node:path';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { withLibraries } from '../../../system-tests/src/support/debian-program.ts';
import { temporaryFolder, type AreaContext } from '../support/area.ts';
import { serviceOptions, startProgram, type Program, type ProgramOptions } from '../support/program.ts';
import { atLeast, type Figure, type Row } from '../support/results.ts';
import { cpuPerRequest, perSecond, throughputRatio, type Sample } from '../support/rounds.ts';
import { nginxCommand, type NginxPlan } from './nginx.ts';

/** Requests per second of a candidate. */
const answers = (samples: readonly Sample[]): Figure => ({ value: perSecond(samples), unit: 'requests/s' });

/** Processor times of a candidate and its peer, in words. */
export const cpuTimes = (ours: readonly Sample[], peer: readonly Sample[]): string =>
  `processor time for a request ${cpuPerRequest(ours).toFixed(0)} µs, the peer's ${cpuPerRequest(peer).toFixed(0)} µs`;

/** A row that compares a candidate's throughput with its peer's. @param target - lowest ratio; none: not judged */
export function compared(
  what: string,
  ours: readonly Sample[],
  peer: readonly Sample[],
  target?: number,
  more: Pick<Row, 'chart' | 'note'> = {},
): Row {
  const judged = target === undefined ? undefined : atLeast(throughputRatio(ours, peer), target);
  return { what, ours: answers(ours), peer: answers(peer), judged, ...more };
}

/** Starts the candidates. */
export class Starter {
  readonly #context: AreaContext;
  readonly folder: string;
  readonly #nginx: string | undefined;

  /** @param nginx - its path, if there is one to compare with */
  constructor(context: AreaContext, nginx: string | undefined) {
    this.#context = context;
    this.folder = temporaryFolder(context, 'gateway');
    this.#nginx = nginx;
  }

  node(file: string, env: Record<string, string>, options: Partial<ProgramOptions> = {}): Promise<Program> {
    return startProgram(this.#context, file, { ...options, env: { NODE_ENV: 'production', ...env } });
  }

  gateway(service: string, remote: string, env: Record<string, string> = {}): Promise<Program> {
    const firebase = { FIREBASE_API_KEY: 'none', FIREBASE_AUTH_DOMAIN: 'none.example', FIREBASE_PROJECT_ID: 'none' };
    return this.node(
      'gateway/src/main.ts',
      {
        SERVICES: `clinic=${service}`,
        SHELL_URL: service,
        REMOTES: `mf-bench=${remote}`,
        LOG_LEVEL: 'info',
        ...firebase,
        ...env,
      },
      { nodeOptions: serviceOptions },
    );
  }

  async proxy(name: string, plan: NginxPlan): Promise<Program | undefined> {
    if (this.#nginx === undefined) return undefined;
    const port = await holdPort();
    const command = nginxCommand(this.#nginx, path.join(this.folder, name), port, plan);
    return startProgram(this.#context, '', { port, command, env: withLibraries(this.#nginx) });
  }
}
