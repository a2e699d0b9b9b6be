import { programEnv } from '@clinic/service-kit/testing/program-env';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { rememberedClinic } from './remembered.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** The gateway program running with several workers. */
export interface RunningGateway extends AsyncDisposable {
  readonly url: string;
  readonly operatorsUrl: string;
  readonly log: readonly LogLine[];
  /** Process ids of all workers so far. */
  workers(): number[];
  /** Resolves with the first matching log line, past or future. */
  logged(what: (line: LogLine) => boolean): Promise<LogLine>;
  /** @returns exit code, or the signal that ended it */
  stop(): Promise<number | string>;
}

const folder = join(import.meta.dirname, '..', '..');

/**
 * Starts the program and waits until it is listening.
 *
 * @throws Error with its error output, if it exits before that
 */
export async function startWorkers(workers: number, env: Readonly<Record<string, string>>): Promise<RunningGateway> {
  const remembered = rememberedClinic();
  const operatorsPort = await holdPort();
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...programEnv(),
      PORT: '0',
      METRICS_PORT: String(operatorsPort),
      WORKERS: String(workers),
      FIREBASE_API_KEY: 'none',
      FIREBASE_PROJECT_ID: 'none',
      PUBLICATIONS_DIR: remembered.path,
      ...env,
    },
  });
  const log: LogLine[] = [];
  const listeners = new Set<() => void>();
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  if (!child.stdout) throw new Error('no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(JSON.parse(line) as LogLine);
    for (const call of listeners) call();
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    remembered.remove();
    return (code ?? signal) as number | string;
  });
  const logged = (what: (line: LogLine) => boolean): Promise<LogLine> =>
    new Promise((resolve) => {
      const check = (): void => {
        const line = log.find(what);
        if (!line) return;
        listeners.delete(check);
        resolve(line);
      };
      listeners.add(check);
      check();
    });
  const listening = logged(({ msg }) => msg === 'listening');
  const first = await Promise.race([listening, ended]);
  if (typeof first !== 'object') throw new Error(`the gateway ended with ${first}: ${errors}`);
  const stop = (): Promise<number | string> => {
    child.kill('SIGTERM');
    return ended;
  };
  return {
    url: String(first['url']),
    operatorsUrl: `http://127.0.0.1:${operatorsPort}`,
    log,
    logged,
    workers: () => log.flatMap(({ msg, pid }) => (msg === 'worker listening' ? [Number(pid)] : [])),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** A client with a single connection, so always the same worker. */
export class Visitor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(path: string, method = 'GET'): Promise<{ readonly status: number; readonly text: string }> {
    const { hostname, port } = new URL(this.#url);
    const [res] = (await once(request({ hostname, port, path, method, agent: this.#agent }).end(), 'response')) as [
      IncomingMessage,
    ];
    let text = '';
    for await (const chunk of res) text += String(chunk);
    return { status: res.statusCode ?? 0, text };
  }

  leave(): void {
    this.#agent.destroy();
  }
}
