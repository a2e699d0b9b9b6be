import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { parseJson } from '../parse-json.ts';
import { sendProblem } from '../server/answers.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { setCommonHeaders } from '../proxy/headers.ts';
import { VisitorLimit, type VisitorLimits } from './visitor-limit.ts';

/** Reports accepted per minute. The rest are only counted. */
const usualLimits: VisitorLimits = { perNetwork: 30, altogether: 600 };

export interface ReportOptions<Report> {
  /** Name of the kind of report, for the log. */
  readonly what: string;
  /** Maximum size of a body, in bytes. */
  readonly bodyLimit: number;
  readonly log: Logger;
  readonly limits?: VisitorLimits;
  readonly schema: z.ZodType<Report>;
  /** Called with each valid report. */
  readonly take: (report: Report, req: GatewayRequest) => void;
  /** Called for each report over the limit. */
  readonly onDropped?: () => void;
}

export type TakeReports = (req: GatewayRequest, res: ServerResponse) => void;

/** Accepts reports from visitors' browsers about our pages, limited in size and number. */
export function takeReports<Report>({
  what,
  bodyLimit,
  log,
  limits = usualLimits,
  schema,
  take,
  onDropped,
}: ReportOptions<Report>): TakeReports {
  const limit = new VisitorLimit(limits, (dropped) => log.warn({ dropped }, `${what}s dropped`));

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
        const report = text === undefined ? undefined : schema.safeParse(parseJson(text)).data;
        if (report === undefined) return sendProblem(req, res, 'validation_failed', 'This isn’t a page report.');
        take(report, req);
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
