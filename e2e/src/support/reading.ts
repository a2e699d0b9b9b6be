import type { CDPSession, Page } from '@playwright/test';
import { isOwnReport } from './network-log.ts';

/** A mid-range phone, as Lighthouse has it. */
export const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

/** A file that a page has loaded. */
export interface TransferredFile {
  readonly path: string;
  readonly isScript: boolean;
  /** Bytes as they were transferred: compressed, with the response's head. */
  readonly bytes: number;
  /** Seconds on the browser's clock. */
  readonly begun: number;
  readonly ended: number;
}

/** Follows what a page transfers. Cached files transfer nothing, and what pages report of themselves isn't theirs to load. */
export async function followTransfers(page: Page): Promise<{ readonly take: () => TransferredFile[] }> {
  const session = await page.context().newCDPSession(page);
  const begun = new Map<string, { readonly path: string; readonly isScript: boolean; readonly begun: number }>();
  let files: TransferredFile[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    const { pathname, search } = new URL(request.url);
    if (request.url.startsWith('http') && !isOwnReport(request.url))
      begun.set(requestId, { path: pathname + search, isScript: type === 'Script', begun: timestamp });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const file = begun.get(requestId);
    if (file && encodedDataLength > 0) files.push({ ...file, bytes: encodedDataLength, ended: timestamp });
  });
  await session.send('Network.enable');
  return {
    take() {
      const taken = files;
      files = [];
      return taken;
    },
  };
}

/** Slow 4G, as Lighthouse has it: milliseconds of a round trip, bytes in a second; and a processor as slow as a cheap phone's. */
export async function slowDown(
  page: Page,
  { latency = 150, throughput = 200_000, processor = 4 } = {},
): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor });
  return session;
}

export const bytesOf = (files: readonly TransferredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Files by the round of requests that they came in: those of a later round were asked for once one of an earlier round was there.
 * Only over a network whose round trips take much longer than the page's own work.
 */
export function roundsOf(files: readonly TransferredFile[]): (readonly TransferredFile[])[] {
  const rounds: (readonly TransferredFile[])[] = [];
  let left = [...files];
  while (left.length > 0) {
    const first = Math.min(...left.map(({ ended }) => ended));
    rounds.push(left.filter(({ begun }) => begun < first));
    left = left.filter(({ begun }) => begun >= first);
  }
  return rounds;
}
