import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { z } from 'zod';
import { sendProblem } from './answers.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { setCommonHeaders } from './headers.ts';

/** First segment of the address where pages tell what broke in them. */
export const pageErrorsSegment = 'page-errors';

/** Most bytes of one report. */
const bodyLimit = 4096;

/** Errors told within a minute that are logged: of one address, and of all together. What is more is only counted. */
const perAddress = 30;
const altogether = 600;
const windowMs = 60_000;

const name = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);

/**
 * What a page tells of an error. There is no room for personal data: names of ours, places in our files, and what kind
 * of error it was; texts of errors, which may quote anything, stay in the browser.
 */
const reportSchema = z.object({
  /** What became of the remote or the page. */
  kind: z.enum(['away', 'incompatible', 'outdated', 'broken']),
  remote: name.optional(),
  version: z.string().regex(/^[\w.+-]{1,60}$/).optional(),
  /** The route path of the page, e.g. `/appoinment/:_id`, never the address. */
  page: z.string().regex(/^\/[\w/:*-]{0,100}$/).optional(),
  /** Name of the error's class, e.g. `TypeError`. */
  error: z.string().regex(/^\w{1,60}$/).optional(),
  /** Files of ours with line and column, the innermost first. */
  at: z.array(z.string().regex(/^[\w./~@+-]{1,120}(?::\d{1,9}){0,2}$/)).max(8).optional(),
});

export type PageErrors = (req: GatewayRequest, res: ServerResponse) => void;

/**
 * Brings what breaks in visitors' pages into our log, where somebody sees it.
 *
 * @param isPage - whether it is the route path of a page: anything else might be an address with a name in it
 * @param workers - that share the room in the log
 */
export function pageErrors(log: Logger, isPage: (path: string) => boolean, workers = 1): PageErrors {
  let counts = new Map<string, number>();
  let dropped = 0;

  setInterval(() => {
    if (dropped > 0) log.warn({ dropped }, 'page errors dropped');
    counts = new Map();
    dropped = 0;
  }, windowMs).unref();

  function isTooMany(address: string): boolean {
    const all = (counts.get('') ?? 0) + 1;
    const own = (counts.get(address) ?? 0) + 1;
    if (all > altogether / workers || own > perAddress) return true;
    counts.set('', all).set(address, own);
    return false;
  }

  return (req, res) => {
    if (req.method !== 'POST') return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'POST' });
    // Only our own pages have something to tell.
    if (req.headers['sec-fetch-site'] !== 'same-origin') return sendProblem(req, res, 'cross_site');
    if (isTooMany(String(req.headers['x-forwarded-for'] ?? ''))) {
      dropped += 1;
      return sendProblem(req, res, 'rate_limited');
    }
    read(req).then(
      (text) => {
        const report = text === undefined ? undefined : reportSchema.safeParse(parse(text)).data;
        if (!report) return sendProblem(req, res, 'validation_failed', 'This is no report of a page.');
        const page = report.page === undefined || isPage(report.page) ? report.page : '[unknown]';
        log.warn({ requestId: req.requestId, ...report, page }, 'page error');
        setCommonHeaders(res, req);
        res.writeHead(204, { 'Cache-Control': 'no-store' }).end();
      },
      // The page is gone; so is what it had to tell.
      () => res.destroy(),
    );
  };
}

/** @returns the body, or nothing when it is too long */
async function read(req: GatewayRequest): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Read to its end all the same: the connection is needed for the answer.
    if (bytes <= bodyLimit) chunks.push(chunk);
    else if (bytes > 100 * bodyLimit) return undefined;
  }
  return bytes <= bodyLimit ? Buffer.concat(chunks).toString() : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema says the rest.
    return undefined;
  }
}
