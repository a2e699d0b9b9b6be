import { z } from 'zod';
import { releaseOf, remoteName, versionName, type ReportKind } from './visitor-reports.ts';

/**
 * A page's error report. It can't carry personal data: only our own names, positions in our files, and the kind of
 * error. Error messages, which may quote anything, stay in the browser.
 */
const schema = z.object({
  /** What happened to the remote or the page. */
  kind: z.enum(['away', 'incompatible', 'outdated', 'broken']),
  remote: remoteName.optional(),
  version: versionName.optional(),
  /** Whether it is the remote's first error in this page load. */
  first: z.boolean().optional(),
  /** The route path of the page, e.g. `/appoinment/:_id`, never the address. */
  page: z
    .string()
    .regex(/^\/[\w/:*-]{0,100}$/)
    .optional(),
  /** Name of the error's class, e.g. `TypeError`. */
  error: z
    .string()
    .regex(/^\w{1,60}$/)
    .optional(),
  /** Our files with line and column, innermost frame first. */
  at: z
    .array(z.string().regex(/^[\w./~@+-]{1,120}(?::\d{1,9}){0,2}$/))
    .max(8)
    .optional(),
  /** What the page shows as its reference, for a visitor to quote. */
  reference: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
});

/** Logs and counts errors from visitors' pages. */
export const pageErrors: ReportKind<z.output<typeof schema>> = {
  what: 'page error',
  bodyLimit: 4096,
  schema,
  take(report, site, network) {
    const { log, metrics, registry, frontEnds } = site;
    // Anything but a route path might be an address with a name in it.
    const page = report.page === undefined || registry.paths.includes(report.page) ? report.page : '[unknown]';
    log.warn({ ...report, page }, 'page error');
    metrics.pageErrors.inc({ kind: report.kind, ...releaseOf(report, site) });
    // An error that a deployment caused isn't the release's fault.
    if (report.first === true && report.kind !== 'outdated')
      frontEnds.get(report.remote ?? 'shell')?.count(report.version, 'error', network);
  },
};
