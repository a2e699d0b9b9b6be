import { createHash } from 'node:crypto';
import type { Deployment, CanaryRules } from '../contract/deployment-calls.ts';
import type { IndexPlan } from '@clinic/service-kit';
import type { GatewayReport, ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';
import type { Collection } from 'mongodb';
import type { IdentityContext } from '../settings.ts';

/** What decisions need of the service; the command line has no more. */
export type DeploymentContext = Pick<IdentityContext, 'db' | 'inTransaction'>;

/** A release for a share of the visitors. */
export interface Canary extends CanaryRules {
  /** Number of the front-end's canary, from 1. */
  readonly id: number;
  readonly version: string;
  /** ISO instant. */
  readonly since: string;
}

/** A build that a front-end's server keeps. */
export interface Release {
  readonly version: string;
  /** When it was deployed, ISO instant; never in the future. */
  readonly at: string;
  /** What its server says, if that was in the future. */
  readonly claimedAt?: string;
}

/** A front-end's releases, and what was decided about them. */
export interface DeploymentRecord {
  /** The front-end. */
  readonly _id: string;
  readonly deployed: Release;
  /** Newest first. */
  readonly releases: readonly Release[];
  /** A release that visitors get instead of the one deployed last. */
  readonly held?: {
    readonly kind: NonNullable<Deployment['held']>;
    readonly version: string;
    /** What was deployed then: the next deployment ends it, unless it is a pin. */
    readonly from: string;
  };
  readonly canary?: Canary;
  /** Number of canaries so far. */
  readonly canaries: number;
  readonly decision?: Omit<NonNullable<Deployment['decision']>, 'email'> & {
    readonly account?: string;
    /** The revision that it was based on, as the wire has it; absent in those of earlier releases. */
    readonly basedOn?: string;
  };
  /** Grows with every change. */
  readonly revision: number;
}

/** Days, by UTC, for which figures are kept; today is the last one. */
export const figureDays = 7;

/** Absent in rows of earlier releases. */
type Later = 'otherVisits' | 'otherErrors' | 'networks';

/** What pages have reported to one gateway process about one release on one day. */
export interface FiguresRecord extends Omit<ReportedFigures, 'day' | Later>, Partial<Pick<ReportedFigures, Later>> {
  readonly _id: string;
  /** The front-end. */
  readonly name: string;
  /** Midnight of the day, UTC. */
  readonly at: Date;
  /** Milliseconds since 1970, by svc-identity's clock: when it was told of the last error; 0 if there was none. */
  readonly lastErrorAt: number;
  /** Without the network that reported the most errors. */
  readonly lastOtherErrorAt?: number;
}

/** A gateway process, and what it does. */
export interface GatewayRecord {
  readonly _id: string;
  /** When it last reported. */
  readonly at: Date;
  readonly frontEnds: Readonly<Record<string, Omit<GatewayReport['frontEnds'][string], 'kept' | 'figures'>>>;
}

/** What reading needs of the service. */
export type Stored = Pick<IdentityContext, 'db'>;

export const deploymentsOf = ({ db }: Stored): Collection<DeploymentRecord> => db.collection('deployments');
export const figuresOf = ({ db }: Stored): Collection<FiguresRecord> => db.collection('releaseFigures');
export const gatewaysOf = ({ db }: Stored): Collection<GatewayRecord> => db.collection('gateways');

export const deploymentIndexes: IndexPlan = {
  releaseFigures: [
    { key: { name: 1, at: 1 }, name: 'by_front_end' },
    { key: { at: 1 }, name: 'by_day' },
  ],
  gateways: [{ key: { at: 1 }, name: 'by_report' }],
};

/** The release that visitors get: a held one while its server keeps it. */
export function servedBy({
  deployed,
  releases,
  held,
}: Pick<DeploymentRecord, 'deployed' | 'releases' | 'held'>): string {
  return held && releases.some(({ version }) => version === held.version) ? held.version : deployed.version;
}

/** The release deployed before the served one, which a roll-back returns to; `undefined` if there is none. */
export function releaseBefore(record: DeploymentRecord): string | undefined {
  const served = record.releases.findIndex(({ version }) => version === servedBy(record));
  return served === -1 ? undefined : record.releases[served + 1]?.version;
}

/** The revision that changes are based on, as the wire has it. */
export function revisionOf({ _id, revision }: DeploymentRecord): string {
  return createHash('sha256').update(`${_id} ${revision}`).digest('base64url').slice(0, 22);
}

/** Note to operators if the served release isn't the one deployed last. */
export function heldNote(record: DeploymentRecord): string | undefined {
  const { held, deployed } = record;
  if (!held || servedBy(record) !== held.version) return undefined;
  const until = {
    pinned: "pinned until 'unpin'",
    promoted: `promoted over ${held.from} until the next deployment`,
    'rolled back': `pinned by a rollback from ${held.from} until the next deployment`,
  }[held.kind];
  return `${until}: ${held.version} is served, ${held.version === deployed.version ? 'which' : deployed.version} was deployed last`;
}
