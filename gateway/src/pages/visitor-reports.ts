import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { sendProblem } from '../proxy/answers.ts';
import type { GatewayRequest } from '../proxy/gateway-request.ts';
import { setCommonHeaders } from '../proxy/headers.ts';
import { VisitorLimit, type VisitorLimits } from './visitor-limit.ts';

/** Reports accepted per minute. The rest are only counted. */
const usualLimits: VisitorLimits = { perNetwork: 30, altogether: 600 };

export interface ReportOptions {
  /** Name of the kind of report, for the log. */
  readonly what: string;
  /** Maximum size of a body, in bytes. */
  readonly bodyLimit: number;
  readonly log: Logger;
  /** Number of workers that share the limits. */
  readonly workers?: number;
  readonly limits?: VisitorLimits;
  /** @returns whether it was a valid report */
  readonly take: (body: unknown, req: GatewayRequest) => boolean;
  /** Called for each report over the limit. */
  readonly onDropped?: () => void;
}

export type TakeReports = (req: GatewayRequest, res: ServerResponse) => void;

/** Accepts reports from visitors' browsers about our pages, limited in size and number. */
export function takeReports({
  what,
  bodyLimit,
  log,
  workers = 1,
  limits = usualLimits,
  take,
  onDropped,
}: ReportOptions): TakeReports {
  const limit = new VisitorLimit(limits, workers, (dropped) => log.warn({ dropped }, `${what}s dropped`));

  return (req, res) => {
    if (req.method !== 'POST') return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'POST' });
    // Only our own pages send reports.
    if (req.headers['sec-fetch-site'] !== 'same-origin') return sendProblem(req, res, 'cross_site');
    if (!limit.admits(req)) {
      onDropped?.();
      return sendProblem(req, res, 'rate_limited');
    }
    read(req, bodyLimit).then(
      (text) => {
        if (text === undefined || !take(parse(text), req))
          return sendProblem(req, res, 'validation_failed', 'This isn’t a page report.');
        setCommonHeaders(res, req);
        res.writeHead(204, { 'Cache-Control': 'no-store' }).end();
      },
      // The page closed before the report was complete.
      () => res.destroy(),
    );
  };
}

/** @returns the body, or `undefined` if it is too long */
async function read(req: GatewayRequest, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Keep reading: the connection is needed for the response.
    if (bytes <= limit) chunks.push(chunk);
    else if (bytes > limit + 400 * 1024) return undefined;
  }
  return bytes <= limit ? Buffer.concat(chunks).toString() : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: no schema accepts `undefined`.
    return undefined;
  }
}
