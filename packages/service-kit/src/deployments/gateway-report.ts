import { z } from 'zod';

/**
 * Where gateways report to svc-identity, which decides about releases. Outside of what services publish, so no visitor
 * reaches it; without the internal secret, which gateways don't have. A false report could end a canary or a roll-back
 * too early, or hide a front-end's releases, but choose none of a known one.
 */
export const gatewayReportsPath = '/.well-known/clinic-gateways';

/** Header of the gateway's own questions to a front-end's server; it passes on no visitor's. */
export const releasesHeader = 'clinic-releases';

const version = z.string().regex(/^\w[\w.+-]{0,99}$/);
const frontEnd = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);
const release = z.object({ version, at: z.iso.datetime() });
const count = z.int().min(0);

/** What a front-end's server keeps; newest first. */
export const keptReleases = z.object({
  deployed: release,
  releases: z.array(release.extend({ main: z.string().max(100).optional() })).max(200),
  /** A pin by a server of an earlier release, which stored it itself. */
  pinned: version.optional(),
});
export type KeptReleases = z.output<typeof keptReleases>;

/** What visitors' pages have reported to one process about one release on one day; it only grows. */
const figures = z.object({
  version,
  /** The canary's number, if it was one then; otherwise 0. */
  canary: count,
  /** UTC, as `YYYY-MM-DD`. */
  day: z.iso.date(),
  visits: count,
  /** Visits with an error of the front-end. */
  errors: count,
  /** Both without the network that reported the most errors, as reports are anonymous. Earlier gateways say nothing of networks. */
  otherVisits: count.default(0),
  otherErrors: count.default(0),
  /** Networks that reported. */
  networks: count.default(0),
});
export type ReportedFigures = z.output<typeof figures>;

/** What a gateway process does now, and has seen since its last report. */
export const gatewayReport = z.object({
  /** Identifies the process. */
  gateway: z.string().regex(/^[\w-]{1,64}$/),
  frontEnds: z.record(
    frontEnd,
    z.object({
      /** The release that visitors get. */
      serves: z.string().max(100).optional(),
      /** Number of the canary that part of them gets. */
      canary: count.optional(),
      /** Why it can't do what was decided. */
      trouble: z.string().max(300).optional(),
      /** Absent if its server keeps no releases. */
      kept: keptReleases.optional(),
      figures: z.array(figures).max(100),
    }),
  ),
});
export type GatewayReport = z.output<typeof gatewayReport>;

/** What gateways do about each front-end; one that isn't named is served as it was deployed. */
export const gatewayOrders = z.object({
  frontEnds: z.record(
    frontEnd,
    z.object({
      /** Served instead of the release deployed last, and why. */
      served: z.object({ version, note: z.string() }).optional(),
      canary: z.object({ id: count, version, share: z.number() }).optional(),
    }),
  ),
});
export type GatewayOrders = z.output<typeof gatewayOrders>;
