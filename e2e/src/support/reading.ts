import type { Browser, CDPSession, Page } from '@playwright/test';
import { waitForUse } from './first-use.ts';
import { isOwnReport } from './network-log.ts';

/** A phone of middling size, as Lighthouse has it. */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

/** A network: milliseconds of a round trip, and bytes in a second. Slow 4G, as Lighthouse has it. */
export const slow4g = { latency: 150, throughput: 200_000 };

/** A file as it was transferred, compressed. */
export interface TransferredFile {
  readonly path: string;
  readonly isScript: boolean;
  /** Bytes with the response's head, and without it. */
  readonly bytes: number;
  readonly content: number;
  /** Seconds on the browser's clock. */
  readonly begun: number;
  readonly ended: number;
}

/** A page that somebody reads on a phone: it arrived as HTML, and waits until it is used. */
export interface ReadPage extends AsyncDisposable {
  readonly page: Page;
  /** What it has transferred since the last call. */
  readonly transferred: () => TransferredFile[];
  readonly slowDown: (network: typeof slow4g, processor?: number) => Promise<void>;
}

/**
 * Opens a page in a browser that doesn't know it.
 *
 * @param processor - how many times slower the browser's processor is
 * @throws Error if it arrives without HTML
 */
export async function readPage(
  browser: Browser,
  address: string,
  { network, processor = 1 }: { readonly network?: typeof slow4g; readonly processor?: number } = {},
): Promise<ReadPage> {
  await using begun = new AsyncDisposableStack();
  const context = await browser.newContext(phone);
  begun.defer(() => context.close());
  await waitForUse(context);
  // Otherwise a fast network loads the application by itself.
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const transferred = await followTransfers(session);
  const slowDown: ReadPage['slowDown'] = async ({ latency, throughput }, rate = 1) => {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  };
  if (network) await slowDown(network, processor);
  await page.goto(address);
  if ((await page.locator('#page').count()) === 0) throw new Error(`${address} doesn’t arrive as HTML`);
  await page.waitForLoadState('networkidle');
  const opened = begun.move();
  return { page, transferred, slowDown, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Cached files transfer nothing, and what pages report of themselves isn't theirs to load. */
async function followTransfers(session: CDPSession): Promise<() => TransferredFile[]> {
  type Begun = Omit<TransferredFile, 'bytes' | 'content' | 'ended'> & { head: number };
  const requests = new Map<string, Begun>();
  let files: TransferredFile[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request: { url }, type, timestamp }) => {
    if (!url.startsWith('http') || isOwnReport(url)) return;
    const { pathname, search } = new URL(url);
    requests.set(requestId, { path: pathname + search, isScript: type === 'Script', begun: timestamp, head: 0 });
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const request = requests.get(requestId);
    if (request) request.head = response.encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes, timestamp }) => {
    const request = requests.get(requestId);
    if (!request || bytes === 0) return;
    const { head, ...file } = request;
    files.push({ ...file, bytes, content: bytes - head, ended: timestamp });
  });
  await session.send('Network.enable');
  return () => {
    const taken = files;
    files = [];
    return taken;
  };
}

/** Uses a page by a key, and waits until the application has taken its place. */
export async function usePage({ page }: ReadPage): Promise<void> {
  await page.keyboard.press('Tab');
  await page.locator('#page').waitFor({ state: 'detached' });
}

export const isScript = ({ isScript: script }: TransferredFile): boolean => script;

/** Bytes of everything, heads included. */
export const transferOf = (files: readonly TransferredFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes of scripts as they are served. */
export const scriptsOf = (files: readonly TransferredFile[]): number =>
  files.filter(isScript).reduce((sum, { content }) => sum + content, 0);

/**
 * Files by rounds of requests: those of a later round were asked for once one of an earlier round had come. Right where round
 * trips take much longer than the page's own work.
 */
export function roundsOf(files: readonly TransferredFile[]): (readonly TransferredFile[])[] {
  const rounds: (readonly TransferredFile[])[] = [];
  let left = files;
  while (left.length > 0) {
    const first = Math.min(...left.map(({ ended }) => ended));
    const [round, later] = [left.filter(({ begun }) => begun < first), left.filter(({ begun }) => begun >= first)];
    rounds.push(round);
    left = later;
  }
  return rounds;
}
