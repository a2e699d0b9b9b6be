import { z } from 'zod';
import type { Metrics } from '../operators/metrics.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { releaseOf, remoteName, versionName, type ReportKind } from './visitor-reports.ts';

/** A page sends a few reports, and many people in one house or hospital may share a network. */
const limits = { perNetwork: 300, altogether: 12_000 };

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

export interface PageVisitsOptions {
  readonly deployments: Pick<Deployments, 'versionsOf' | 'count'>;
  readonly metrics: Metrics['pageVisits'];
}

/** Counts visits and web vitals from visitors' pages, by remote and version. */
export function pageVisits({ deployments, metrics }: PageVisitsOptions): ReportKind<z.output<typeof schema>> {
  return {
    what: 'page visit',
    bodyLimit: 4096,
    limits,
    schema,
    take: (report) => {
      for (const { remote, version } of report.visits) {
        metrics.visits.inc(releaseOf({ remote, version }, deployments));
        deployments.count(remote, version, 'visit');
      }
      for (const { name, value, ...reported } of report.vitals)
        metrics.vitals[name].observe(releaseOf(reported, deployments), name === 'CLS' ? value : value / 1000);
    },
  };
}
