import { gzipSync } from 'node:zlib';
import { expect, type CDPSession, type Page, type Response } from '@playwright/test';

/** Everything a first visit loaded. */
export interface LoadedFile {
  readonly path: string;
  readonly kind: 'document' | 'script' | 'style' | 'other';
  /** Bytes after gzip, as budgets count them, whatever encoding the browser got. */
  readonly bytes: number;
  /** 1 for the page itself, 2 for what it references, 3 for what those request. */
  readonly level: number;
  readonly text: string;
}

/**
 * Whether a request is one that every page makes of its own accord, at any time: a report about itself to the gateway.
 * What it sends is the gateway's tests' business.
 */
export const isOwnReport = (url: string): boolean =>
  ['/page-visits', '/page-errors', '/policy-reports'].includes(new URL(url).pathname);

/** Why the browser made a request (Chrome DevTools Protocol, Network.Initiator), as far as it is used here. */
interface Initiator {
  readonly url?: string;
  readonly stack?: Stack;
}

interface Stack {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: Stack;
}

/**
 * Opens a page as a first-time visitor and records everything loaded from the clinic until no more requests
 * are made.
 */
export async function recordFirstVisit(page: Page, path: string): Promise<readonly LoadedFile[]> {
  const session = await page.context().newCDPSession(page);
  const levels = await followLevels(session);
  const files: Promise<LoadedFile>[] = [];
  const note = (response: Response): void => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== new URL(page.url()).origin && page.url() !== 'about:blank') return;
    // What follows the first visit: on a busy machine it begins before the network has been idle. Reports have no body to read.
    if (isOwnReport(response.url()) || /\/(?:later|home-lower)\./.test(pathname)) return;
    files.push(
      response.body().then((body) => ({
        path: pathname,
        kind: kindOf(response.request().resourceType()),
        bytes: gzipSync(body, { level: 9 }).length,
        level: levels.get(response.url()) ?? 1,
        text: body.toString(),
      })),
    );
  };
  page.on('response', note);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  // What comes later isn't of the visit, and the test may end while its body is read.
  page.off('response', note);
  await session.detach();
  const loaded = await Promise.all(files);
  expect(loaded.length, 'files of the first visit').toBeGreaterThan(5);
  return loaded;
}

/** Levels by URL: one more than that of its initiator, so that a slow response doesn't change it. */
async function followLevels(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const { url, stack } = initiator as Initiator;
    const asking = url ?? urlOf(stack);
    // A preloaded file is requested once more by the code that uses it.
    if (!levels.has(request.url)) levels.set(request.url, asking === undefined ? 1 : (levels.get(asking) ?? 1) + 1);
  });
  await session.send('Network.enable');
  return levels;
}

function urlOf(stack: Stack | undefined): string | undefined {
  if (!stack) return undefined;
  return stack.callFrames.find(({ url }) => url !== '')?.url ?? urlOf(stack.parent);
}

function kindOf(resourceType: string): LoadedFile['kind'] {
  if (resourceType === 'document' || resourceType === 'script') return resourceType;
  return resourceType === 'stylesheet' ? 'style' : 'other';
}
