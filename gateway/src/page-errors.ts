import type { Logger } from 'pino';
import { z } from 'zod';
import { takeReports, type TakeReports } from './visitor-reports.ts';

/** First segment of the address where pages tell what broke in them. */
export const pageErrorsSegment = 'page-errors';

/** Most bytes of one report. */
const bodyLimit = 4096;

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

/**
 * Brings what breaks in visitors' pages into our log, where somebody sees it.
 *
 * @param isPage - whether it is the route path of a page: anything else might be an address with a name in it
 * @param workers - that share the room in the log
 */
export function pageErrors(log: Logger, isPage: (path: string) => boolean, workers = 1): TakeReports {
  return takeReports({
    what: 'page error', bodyLimit, log, workers,
    take(body, { requestId }) {
      const report = reportSchema.safeParse(body).data;
      if (!report) return false;
      const page = report.page === undefined || isPage(report.page) ? report.page : '[unknown]';
      log.warn({ requestId, ...report, page }, 'page error');
      return true;
    },
  });
}
