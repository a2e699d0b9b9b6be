import { gzipSync } from 'node:zlib';
import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import {
  type Deployed,
  deployedPath,
  providesFile,
  type RemoteUses,
  type ShellProvides,
  usesFile,
} from '@clinic/contracts/uses';
import { UserError } from '../log.ts';

/** Milliseconds within which the clinic must answer a request. */
const withinMs = 10_000;

/** A running clinic, as its gateway publishes it. */
export interface Running {
  readonly url: string;
  readonly registry: Registry;
  readonly deployed: Deployed;
  readonly provides: ShellProvides;
}

/** @throws UserError if the clinic doesn't answer, or is too old to report that */
export async function readRunning(url: string): Promise<Running> {
  const [registry, deployed, provides] = await Promise.all([
    json<Registry>(url, '/registry.json'),
    json<Deployed>(url, deployedPath),
    json<ShellProvides>(url, `/shell/${providesFile}`),
  ]);
  return { url, registry, deployed, provides };
}

/** What a deployed remote needs; undefined if its build didn't record it. */
export async function usesOf({ url }: Running, { baseUrl }: RegisteredRemote): Promise<RemoteUses | undefined> {
  const answer = await ask(url, `${baseUrl}${usesFile}`);
  return answer.status === 404 ? undefined : ((await checked(answer).json()) as RemoteUses);
}

/** Bytes after gzip of the shell's scripts and styles that every page of a remote loads. */
export async function shellSizes({ url }: Running): Promise<{ readonly scripts: number; readonly styles: number }> {
  // Visitors without a session get a page that names its scripts only once they use it.
  const html = await checked(await ask(url, '/', { accept: 'text/html', cookie: 'signed_in=1' })).text();
  const files = new Set(
    [...html.matchAll(/(?:src|href)="(\/shell\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file),
  );
  const sizes = await Promise.all(
    [...files].map(async (file) => {
      const body = Buffer.from(await checked(await ask(url, file)).arrayBuffer());
      return { file, bytes: gzipSync(body, { level: 9 }).length };
    }),
  );
  const total = (extension: string): number =>
    sizes.filter(({ file }) => file.endsWith(extension)).reduce((sum, { bytes }) => sum + bytes, 0);
  return { scripts: total('.js'), styles: total('.css') };
}

async function json<Content>(url: string, path: string): Promise<Content> {
  const answer = checked(await ask(url, path));
  if (!answer.headers.get('content-type')?.includes('json')) throw new UserError(`${answer.url} isn't a clinic's.`);
  return (await answer.json()) as Content;
}

async function ask(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const address = new URL(path, url);
  try {
    return await fetch(address, { headers, signal: AbortSignal.timeout(withinMs) });
  } catch (error) {
    const { cause, message } = error as Error;
    throw new UserError(`${address.href} doesn't answer: ${cause instanceof Error ? cause.message : message}`);
  }
}

function checked(answer: Response): Response {
  if (!answer.ok) throw new UserError(`${answer.url} answers ${answer.status}, so what runs there is unknown.`);
  return answer;
}
