import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ruleOn } from './account-rules.ts';
import { answerMails } from './demo-mails.ts';
import { DurableProject } from './durable-project.ts';
import { createEmulatorApp, type ProjectState } from './firebase-internals.ts';
import { defaultTryLimits, rejectProduction } from './settings.ts';
import { openSnapshot, readSnapshot } from './snapshot-file.ts';
import { TryLimits, type TryLimitSettings } from './try-limits.ts';
import { WARM_UP_PROJECT, warmUp } from './warm-up.ts';

export interface AuthEmulatorOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly projectId: string;
  /** Keeps the accounts across restarts; without it they are only in memory. Only one emulator at a time may use it. */
  readonly dataFile?: string;
  /** Limits on visitors' attempts; see {@link defaultTryLimits}. */
  readonly limits?: TryLimitSettings;
  /** The address to listen on. The emulator has no security: keep it on loopback. */
  readonly host?: string;
  /**
   * Whether to warm up, so that the first call of each kind is quick; costs a second of processor time; default true.
   */
  readonly warm?: boolean;
}

export interface AuthEmulator {
  readonly url: string;
  readonly port: number;
  /** Stops listening, finishes calls in flight and writes pending changes. */
  close(): Promise<void>;
}

/** How long {@link AuthEmulator.close} waits for calls in flight, in milliseconds. */
const CLOSE_GRACE_MS = 2000;

/**
 * Starts a Firebase Auth emulator in this process. It behaves like a real project with the default settings of new
 * projects. A response about a new, changed or deleted account is only sent after the change is on disk.
 *
 * @returns once it is listening; the first call of each kind is slower until the background warm-up has finished
 * @throws Error if the port is taken, the data file can't be used, or this is production without DEMO_MODE=true
 */
export async function startAuthEmulator(options: AuthEmulatorOptions): Promise<AuthEmulator> {
  rejectProduction(process.env);
  const { projectId, dataFile, host = '127.0.0.1', limits = defaultTryLimits, warm = true } = options;
  const project = new DurableProject(projectId);
  const file = dataFile === undefined ? undefined : await keepIn(dataFile, project);

  const projects = new Map<string, ProjectState>([[projectId, project]]);
  const app = await createEmulatorApp(
    projectId,
    projects,
    async () => file?.settled(),
    new TryLimits(limits),
    project.devices,
    (call) => ruleOn(project, call),
  );
  const server = createServer((request, response) => {
    if (!answerMails(project, request, response)) app(request, response);
  });
  const port = await listen(server, options.port, host);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

  const stopWarmUp = new AbortController();
  if (warm)
    void warmUp(url, stopWarmUp.signal)
      // Nothing depends on it: without the warm-up, the first calls are just slower.
      .catch(() => {})
      .finally(() => projects.delete(WARM_UP_PROJECT));

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopWarmUp.abort();
    await stop(server);
    await file?.close();
  };
  return { url, port, close: () => (closed ??= close()) };
}

async function keepIn(dataFile: string, project: DurableProject) {
  const snapshot = await readSnapshot(dataFile);
  if (snapshot !== undefined) {
    try {
      project.restore(snapshot);
    } catch (error) {
      throw new Error(`${dataFile}: ${(error as Error).message}`, { cause: error });
    }
  }
  const file = openSnapshot(dataFile, () => project.snapshot());
  project.onChange((durable) => file.changed(durable));
  return file;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(
              `port ${port} of ${host} is taken by another program; set AUTH_EMULATOR_PORT to a free one, for example ${port + 1}`,
            )
          : error,
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(impatient);
      resolve();
    });
  });
}
