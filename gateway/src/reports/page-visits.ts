import { z } from 'zod';
import { releaseOf, remoteName, versionName, type ReportKind } from './visitor-reports.ts';

const release = { remote: remoteName, version: versionName.optional() };

/** Longer times are implausible, in milliseconds. */
const maxMs = 600_000;

/**
 * What a page has loaded, and how fast it was for the visitor (https://web.dev/articles/vitals). It reveals neither the
 * visitor nor the page.
 */
const schema = z.object({
  /** Remotes that this page load has used since the last report. */
  visits: z.array(z.object(release)).max(20),
  /** LCP and INP in milliseconds, CLS without a unit; of the remote whose element it was. */
  vitals: z
    .array(
      z.union([
        z.object({ ...release, name: z.enum(['LCP', 'INP']), value: z.number().min(0).max(maxMs) }),
        z.object({ ...release, name: z.literal('CLS'), value: z.number().min(0).max(1000) }),
      ]),
    )
    .max(10),
});

/** Counts visits and web vitals from visitors' pages, by remote and version. */
export const pageVisits: ReportKind<z.output<typeof schema>> = {
  what: 'page visit',
  bodyLimit: 4096,
  // A page sends a few reports, and many people in one house or hospital may share a network.
  limits: { perNetwork: 300, altogether: 12_000 },
  schema,
  take({ visits, vitals }, site, network) {
    const { metrics, frontEnds } = site;
    for (const { remote, version } of visits) {
      metrics.visits.inc(releaseOf({ remote, version }, site));
      frontEnds.get(remote)?.count(version, 'visit', network);
    }
    for (const { name, value, ...reported } of vitals)
      metrics.vitals[name].observe(releaseOf(reported, site), name === 'CLS' ? value : value / 1000);
  },
};
