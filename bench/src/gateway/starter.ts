import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import type { AreaContext } from '../support/area.ts';
import { serviceOptions, startProgram, type Program, type ProgramOptions } from '../support/program.ts';
import type { Figure } from '../support/results.ts';
import { cpuPerRequest, perSecond, type Sample } from '../support/rounds.ts';
import { findNginx, nginxCommand, type NginxPlan } from './nginx.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Requests per second of a candidate. */
export const answers = (samples: readonly Sample[]): Figure => ({ value: perSecond(samples), unit: 'requests/s' });

/** Processor times of a candidate and its peer, in words. */
export const cpuTimes = (ours: readonly Sample[], peer: readonly Sample[]): string =>
  `processor time for a request ${cpuPerRequest(ours).toFixed(0)} µs, the peer's ${cpuPerRequest(peer).toFixed(0)} µs`;

/** Starts the candidates. */
export class Starter {
  readonly #context: AreaContext;
  readonly folder = mkdtempSync(path.join(tmpdir(), 'clinic-bench-gateway-'));
  readonly nginx: ReturnType<typeof findNginx>;

  constructor(context: AreaContext) {
    this.#context = context;
    this.nginx = findNginx(context.say);
    context.after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async node(file: string, env: Record<string, string>, options: Partial<ProgramOptions> = {}): Promise<Program> {
    const program = await startProgram(path.join(root, file), await getPort({ host: '127.0.0.1' }), {
      ...options,
      env: { NODE_ENV: 'production', ...env },
    });
    this.#context.after(() => program.stop());
    return program;
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
    if (this.nginx.path === undefined) return undefined;
    const port = await getPort({ host: '127.0.0.1' });
    const program = await startProgram('', port, {
      command: nginxCommand(this.nginx.path, path.join(this.folder, name), port, plan),
    });
    this.#context.after(() => program.stop());
    return program;
  }
}
