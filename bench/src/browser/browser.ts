import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { ensureChromium } from '../../../scripts/test/chromium.ts';
import type { AreaContext } from '../support/area.ts';
import { sharedClinic } from '../support/clinic.ts';

/** The same flags as the browser tests. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How many times slower a low-end device is than this machine. */
export const slowdown = 4;

/** A browser for a running clinic. */
export async function launchBrowser({
  after,
  say,
}: AreaContext): Promise<{ readonly url: string; readonly browser: Browser }> {
  const { url } = await sharedClinic(say);
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args });
  after(() => browser.close());
  return { url, browser };
}

/** The same at a desk. */
export async function openBrowser(
  context: AreaContext,
): Promise<{ readonly url: string; readonly newContext: () => Promise<BrowserContext> }> {
  const { url, browser } = await launchBrowser(context);
  return { url, newContext: () => browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } }) };
}

/** Waits until the requested change is painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** One event of a browser's trace (Chrome's trace event format), as far as it is used here. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds: start, duration, and processor time. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly data?: { readonly type?: string } };
}

/** The main thread's work during an action. */
export interface Work {
  /** Milliseconds of processor time of each task. */
  readonly tasks: readonly number[];
  /** The same for tasks that handled a key. */
  readonly keys: readonly number[];
}

/**
 * Measures processor time per task of the page's main thread. It is the same on a busy machine, whereas a throttled
 * browser also counts the time it had to wait.
 */
export async function workOf(page: Page, act: () => Promise<void>): Promise<Work> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error('The page has no browser of its own');
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'toplevel'] },
  });
  await act();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return workIn(events);
}

function workIn(events: readonly TraceEvent[]): Work {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = events.filter(
    (event) => mains.has(threadOf(event)) && event.name.endsWith('RunTask') && event.tdur !== undefined,
  );
  const keys = events.filter(
    ({ name, args }) => name === 'EventDispatch' && ['keydown', 'keypress', 'input'].includes(args.data?.type ?? ''),
  );
  const answers = (task: TraceEvent): boolean =>
    keys.some((key) => threadOf(key) === threadOf(task) && key.ts >= task.ts && key.ts <= task.ts + (task.dur ?? 0));
  const milliseconds = ({ tdur = 0 }: TraceEvent): number => tdur / 1000;
  return { tasks: tasks.map(milliseconds), keys: tasks.filter(answers).map(milliseconds) };
}
