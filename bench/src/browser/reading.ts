import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { kilobyte, readingBudget, starterBudget } from '@clinic/contracts/budgets';
import type { Browser, Page } from '@playwright/test';
import { readPage, roundsOf, scriptsOf, slow4g, transferOf, type ReadPage } from '../../../e2e/src/support/reading.ts';
import type { Area } from '../support/area.ts';
import { atMost, limited, type Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';
import { launchBrowser, slowdown } from './browser.ts';

const paths = ['/', '/ourDoctors', '/medicinestore'];

/** A gateway sends a page without its HTML that wasn't rendered in time. */
const mostVisits = 20;

/** Any session's cookie, with which the gateway leaves the page to its scripts. */
const drawnByScripts = 'clinic_session=none';

const answersWithin = 1_500;

export const reading: Area = {
  name: 'reading',
  title: 'Reading a public page on a cheap phone',
  within: 600,
  async run(context) {
    const { url, browser } = await launchBrowser(context);
    const plain = await servePlain(url);
    context.after(() => void plain.close());
    const saved = `http://localhost:${(plain.address() as AddressInfo).port}`;
    const visits = Math.max(1, Math.round(5 * context.effort));
    const rows: Row[] = [];
    for (const path of paths) {
      const [ours, drawn, asPlain, used]: [Paints[], Paints[], Paints[], Use[]] = [[], [], [], []];
      for (let visit = 0; visit < visits; visit += 1) {
        const use = await visitAndUse(browser, url + path);
        used.push(use);
        ours.push(use.paints);
        drawn.push(await paintsOf(browser, url + path, drawnByScripts));
        asPlain.push(await paintsOf(browser, saved + path));
      }
      rows.push(...rowsOf(path, { ours, drawn, asPlain, used }));
      context.say(`${path}: ${rows.length} rows`);
    }
    return {
      how: `Slow 4G (${slow4g.latency} ms, 1.6 Mbit/s), a processor ${slowdown} times slower, 412 px; medians of ${visits} alternating visits. Compared with the same page drawn by scripts, and saved as plain HTML with its styles.`,
      peerName: 'other',
      rows,
    };
  },
};

interface Paints {
  readonly first: number;
  readonly largest: number;
}

interface Use {
  readonly paints: Paints;
  /** Before anybody uses the page. */
  readonly bytes: number;
  readonly scripts: number;
  /** Rounds of requests until the application has taken its place. */
  readonly rounds: number;
  /** Milliseconds from the touch until the application has done what was pressed. */
  readonly answered: number;
}

interface Measured {
  readonly ours: readonly Paints[];
  readonly drawn: readonly Paints[];
  readonly asPlain: readonly Paints[];
  readonly used: readonly Use[];
}

function rowsOf(path: string, { ours, drawn, asPlain, used }: Measured): Row[] {
  const of = (visits: readonly Paints[], which: keyof Paints): number => median(visits.map((paints) => paints[which]));
  const compared = (which: keyof Paints, peer: readonly Paints[], what: string, target: number): Row => ({
    what: `${path}: ${which} paint, compared with ${what}`,
    ours: { value: of(ours, which), unit: 'ms' },
    peer: { value: of(peer, which), unit: 'ms' },
    judged: atMost(of(ours, which) / of(peer, which), target),
  });
  const [visit] = used;
  return [
    ...(['first', 'largest'] as const).flatMap((which) => [
      compared(which, drawn, 'the page that scripts draw', 0.5),
      compared(which, asPlain, 'plain HTML', 1.15),
    ]),
    limited(`${path}: everything before a touch`, (visit?.bytes ?? 0) / kilobyte, 'kB', readingBudget),
    limited(`${path}: scripts before a touch`, (visit?.scripts ?? 0) / kilobyte, 'kB', starterBudget),
    limited(`${path}: rounds of requests after a touch`, visit?.rounds ?? 0, '', 1),
    {
      ...limited(
        `${path}: from a touch to the answer`,
        median(used.map(({ answered }) => answered)),
        'ms',
        answersWithin,
      ),
      chart: path === '/' ? 'from a touch to the answer' : undefined,
    },
  ];
}

async function visitAndUse(browser: Browser, address: string): Promise<Use> {
  await using reading = await read(browser, address);
  const { page, transferred } = reading;
  const paints = await readPaints(page);
  const first = transferred();
  const answered = await press(page);
  return {
    paints,
    bytes: transferOf(first),
    scripts: scriptsOf(first),
    rounds: roundsOf(transferred().filter(({ path }) => !path.includes('favicon'))).length,
    answered,
  };
}

async function read(browser: Browser, address: string): Promise<ReadPage> {
  for (let visit = 1; ; visit += 1) {
    try {
      return await readPage(browser, address, { network: slow4g, processor: slowdown });
    } catch (error) {
      if (visit === mostVisits) throw error;
    }
  }
}

/** Presses a button that only the application understands. @returns milliseconds until it has done what was pressed, once */
async function press(page: Page): Promise<number> {
  await page.evaluate(() => {
    const answered = (): boolean =>
      document.getElementById('page') === null &&
      document.querySelector('[aria-controls][aria-expanded="true"]') !== null;
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => {
        const look = (): void => {
          if (answered()) document.documentElement.dataset['answered'] = String(performance.now() - timeStamp);
          else requestAnimationFrame(look);
        };
        look();
      },
      { once: true, capture: true },
    );
  });
  await page.getByRole('button', { name: 'Open menu' }).tap();
  const done = page.locator('html[data-answered]');
  await done.waitFor({ state: 'attached', timeout: 60_000 });
  return Number(await done.getAttribute('data-answered'));
}

/** @param cookie - sent with the visit */
async function paintsOf(browser: Browser, address: string, cookie?: string): Promise<Paints> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true });
  try {
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    if (cookie !== undefined) await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: slow4g.latency,
      downloadThroughput: slow4g.throughput,
      uploadThroughput: slow4g.throughput,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    return await readPaints(page);
  } finally {
    await context.close();
  }
}

/** Milliseconds from the visit's begin. */
async function readPaints(page: Page): Promise<Paints> {
  return page.evaluate(
    () =>
      new Promise<Paints>((resolve) => {
        const [first] = performance.getEntriesByName('first-contentful-paint');
        new PerformanceObserver((list) => {
          const largest = list.getEntries().at(-1);
          resolve({ first: first?.startTime ?? 0, largest: largest?.startTime ?? 0 });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

/** Serves what the clinic serves, but documents without scripts and what is loaded for them. */
async function servePlain(clinic: string): Promise<Server> {
  const server = createServer((req, res) => {
    get(new URL(req.url ?? '/', clinic), { headers: { ...req.headers, host: new URL(clinic).host } }, (answer) => {
      const type = answer.headers['content-type'] ?? '';
      void (async () => {
        const body = await bodyOf(answer);
        const plain = type.startsWith('text/html') && answer.headers['content-encoding'] === 'br';
        const sent = plain ? brotliCompressSync(withoutScripts(brotliDecompressSync(body).toString())) : body;
        res.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': sent.length }).end(sent);
      })();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const withoutScripts = (html: string): string => html.replaceAll(/<script\b.*?<\/script>/gs, '');

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
