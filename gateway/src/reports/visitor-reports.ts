import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { FrontEnd } from '../deployments/front-end.ts';
import type { Metrics } from '../operators/metrics.ts';
import type { RemoteRegistry } from '../registry/registry.ts';
import { sendProblem } from '../server/answers.ts';
import { parseJson } from '../parse-json.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { bufferBody } from '../server/bodies.ts';
import { VisitorLimit, type VisitorLimits } from './visitor-limit.ts';

/** Reports accepted per minute. The log says how many are dropped. */
const usualLimits: VisitorLimits = { perNetwork: 30, altogether: 600 };

/** Names and versions in reports. */
export const remoteName = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);
export const versionName = z.string().regex(/^[\w.+-]{1,60}$/);

/** What visitors' browsers may report about our pages. */
export interface ReportKind<Report> {
  /** For the log. */
  readonly what: string;
  /** Maximum size of a report, in bytes. */
  readonly bodyLimit: number;
  readonly limits?: VisitorLimits;
  /** Nothing else may be in a report: it must not carry personal data. */
  readonly schema: z.ZodType<Report>;
  /** Called with each valid report. */
  readonly take: (report: Report, site: ReportedSite, network: string) => void;
}

/** What the gateway knows about the pages that report. */
export interface ReportedSite {
  /** Has the request's id when a report is taken. */
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'pageErrors' | 'visits' | 'vitals' | 'policyReports'>;
  readonly registry: Pick<RemoteRegistry, 'paths' | 'pageAt'>;
  readonly frontEnds: ReadonlyMap<string, Pick<FrontEnd, 'versions' | 'count'>>;
}

/** Accepts one kind of reports, limited in size and number. */
export function takeReports<Report>(
  { what, bodyLimit, limits = usualLimits, schema, take }: ReportKind<Report>,
  site: ReportedSite,
): (req: GatewayRequest, res: ServerResponse) => void {
  const { log } = site;
  const limit = new VisitorLimit(limits, (dropped) => log.warn({ dropped }, `${what}s dropped`));
  return (req, res) => {
    if (req.method !== 'POST') return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'POST' });
    // Only our own pages send reports.
    if (req.headers['sec-fetch-site'] !== 'same-origin') return sendProblem(req, res, 'cross_site');
    if (!limit.admits(req.origin.network)) return sendProblem(req, res, 'rate_limited');
    bufferBody(req, res, bodyLimit, (body) => {
      // The page closed before the report was complete.
      if (body === 'gone') return void res.destroy();
      const report = schema.safeParse(body === 'too large' ? undefined : parseJson(body.toString()));
      if (!report.success) return sendProblem(req, res, 'validation_failed', 'This isn’t a page report.');
      take(report.data, { ...site, log: log.child({ requestId: req.requestId }) }, req.origin.network);
      res.writeHead(204, { 'Cache-Control': 'no-store' }).end();
    });
  };
}

/**
 * Labels for metrics. Names and versions that we don't publish must not create series.
 *
 * @param reported - without a remote it is the shell
 */
export function releaseOf(
  { remote = 'shell', version }: { readonly remote?: string | undefined; readonly version?: string | undefined },
  { frontEnds }: ReportedSite,
): { remote: string; version: string } {
  const known = frontEnds.get(remote)?.versions ?? [];
  if (known.length === 0) return { remote: 'unknown', version: '' };
  if (version === undefined) return { remote, version: '' };
  return { remote, version: known.includes(version) ? version : 'other' };
}
