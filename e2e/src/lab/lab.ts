import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ReleaseError } from '@clinic/static-server/releases';
import { openTestEnvironment } from '../support/test-environment.ts';
import { parts, type Part } from './experiments.ts';
import { logNow, releasesNow } from './now.ts';
import { labPage, type LabState, type PartState } from './page.ts';

const shell = join(import.meta.dirname, '../../../shell/dist');

/** The lab, with a clinic's front-ends and gateway of its own. */
export interface Lab {
  /** Address of the page with the buttons. */
  readonly url: string;
  /** Address of the clinic that is experimented with. */
  readonly clinic: string;
  close(): Promise<void>;
}

/**
 * Opens the lab on this machine.
 *
 * @param services - address of a running clinic, which has the services and the data; nothing in it breaks
 * @param port - 0 for any
 */
export async function openLab(services: string, port = 0): Promise<Lab> {
  await using begun = new AsyncDisposableStack();
  const testEnv = await openTestEnvironment(services, { keepReleases: 'decided' });
  begun.defer(() => testEnv.close());
  const last = new Map<Part, Pick<PartState, 'title' | 'watch' | 'result'>>();
  let problem: string | undefined;

  async function read(): Promise<LabState> {
    const names = Object.keys(parts) as Part[];
    const releases = await releasesNow(testEnv);
    const states = names.map((part) => [part, { ...last.get(part), release: releases.get(part) }] as const);
    return { clinic: testEnv.url, problem, log: logNow(testEnv), parts: new Map(states) };
  }

  async function act(part: Part, id: string): Promise<boolean> {
    const experiment = parts[part]?.find((one) => one.id === id);
    if (!experiment) return false;
    problem = undefined;
    try {
      const result = (await experiment.run(testEnv, part)) ?? undefined;
      last.set(part, { title: experiment.title, watch: experiment.watch, result });
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      problem = error.message;
    }
    return true;
  }

  const server = createServer((req, res) => {
    handle(req, res, act, async () => labPage(await read())).catch((error: unknown) => {
      console.error(error);
      res.writeHead(500).end('The experiment failed; see the terminal.\n');
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  begun.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const running = begun.move();
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    clinic: testEnv.url,
    close: () => running.disposeAsync(),
  };
}

async function handle(
  req: IncomingMessage,
  res: ServerResponse,
  act: (part: Part, id: string) => Promise<boolean>,
  page: () => Promise<string>,
): Promise<void> {
  const [, kind, part = '', id = ''] = (req.url ?? '').split('/');
  // Another site's page in the same browser must not press these buttons.
  const own = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(req.headers.host ?? '');
  const foreign = !['same-origin', 'none', undefined].includes(req.headers['sec-fetch-site'] as string | undefined);
  if (!own || (foreign && req.method !== 'GET')) return void res.writeHead(403).end();
  if (req.method === 'GET' && kind === '')
    return void res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(await page());
  if (req.method === 'GET' && kind === 'style.css')
    return void res.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(await designSystem());
  if (req.method === 'POST' && kind === 'do' && (await act(part as Part, id)))
    return void res.writeHead(303, { Location: '/' }).end();
  res.writeHead(404).end();
}

/** The shell's stylesheet. */
async function designSystem(): Promise<Buffer> {
  const name = (await readdir(shell)).find((file) => /^main\..*\.css$/.test(file));
  return readFile(join(shell, name ?? 'main.css'));
}
