import { gzipSync } from 'node:zlib';
import { expect, type CDPSession, type Page } from '@playwright/test';
import { openPage } from './appearance.ts';

/** What a first visit loaded. */
export interface LoadedFile {
  readonly path: string;
  readonly kind: 'document' | 'script' | 'style' | 'other';
  /** Bytes after gzip, as budgets count them, whatever encoding the browser was given. */
  readonly bytes: number;
  /** The page itself is 1; what it names 2; what these ask for 3. */
  readonly level: number;
  readonly text: string;
}

/** Why the browser asked for something (Chrome DevTools Protocol, Network.Initiator), as far as it is used here. */
interface Initiator {
  readonly url?: string;
  readonly stack?: Stack;
}

interface Stack {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: Stack;
}

/**
 * Opens a page as somebody who has never been here, and records everything that came from the clinic until nothing more
 * was asked for.
 */
export async function recordFirstVisit(page: Page, path: string): Promise<readonly LoadedFile[]> {
  const session = await page.context().newCDPSession(page);
  const levels = await followLevels(session);
  const files: Promise<LoadedFile>[] = [];
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== new URL(page.url()).origin && page.url() !== 'about:blank') return;
    files.push(
      response.body().then((body) => ({
        path: pathname, kind: kindOf(response.request().resourceType()), bytes: gzipSync(body, { level: 9 }).length,
        level: levels.get(response.url()) ?? 1, text: body.toString(),
      })),
    );
  });
  await openPage(page, path);
  await page.waitForLoadState('networkidle');
  await session.detach();
  const loaded = await Promise.all(files);
  expect(loaded.length, 'files of the first visit').toBeGreaterThan(5);
  return loaded;
}

/** Levels by address: one more than that of what asked for it, so that no slow answer changes it. */
async function followLevels(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const { url, stack } = initiator as Initiator;
    const asking = url ?? urlOf(stack);
    // A file that was announced for early loading is asked for once more by what uses it.
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
