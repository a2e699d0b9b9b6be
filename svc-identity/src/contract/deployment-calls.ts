import { defineCalls } from '@clinic/contracts/define-calls';
import { z } from 'zod';

const admin = ['admin'] as const;

/** Rules by which a canary is given to visitors, and ends by itself. */
export const canaryRules = z.object({
  /** Share of visitors who get it, 0 to 1. One of the hundred groups is the smallest; with more than half it isn't a canary. */
  share: z
    .number({ error: 'Share must be a number' })
    .min(0.01, 'Share must be at least 0.01')
    .max(0.5, 'Share must be at most 0.5'),
  /** Error rate of its visits at which it is rolled back, 0 to 1. */
  errorRate: z
    .number({ error: 'Error rate must be a number' })
    .gt(0, 'Error rate must be more than 0')
    .max(1, 'Error rate must be at most 1'),
  /** Visits before it may be rolled back or promoted. */
  minVisits: z
    .int('Visits must be a whole number')
    .min(1, 'Visits must be at least 1')
    .max(999_999, 'Visits must be at most 999999'),
  /** Minutes without an error after which it is promoted. */
  quietMinutes: z
    .number({ error: 'Quiet time must be a number of minutes' })
    .min(1, 'Quiet time must be at least a minute')
    .max(9999, 'Quiet time must be at most 9999 minutes'),
});
export type CanaryRules = z.output<typeof canaryRules>;

const version = z.string({ error: 'Version is required' }).regex(/^\w[\w.+-]{0,99}$/, 'This isn’t a version');
const revision = z.string({ error: 'Revision is required' }).regex(/^[\w-]{22}$/, 'This isn’t a revision');

/** What visitors’ pages have reported. */
const figures = z.object({
  visits: z.number(),
  /** Visits in which the front-end had an error. */
  errors: z.number(),
});

const release = z.object({
  version: z.string(),
  /** When it was deployed, ISO instant. */
  at: z.string(),
  /** Absent if nothing was reported. */
  figures: figures.optional(),
});

/** The last decision and who made it. */
const decision = z.object({
  /** ISO instant. */
  at: z.string(),
  kind: z.enum(['pin', 'unpin', 'rollback', 'canary', 'stop', 'promoted', 'rolled back']),
  version: z.string(),
  by: z.enum(['admin', 'operator', 'gateway']),
  /** Email of the admin, if they still have an account. */
  email: z.string().optional(),
});

/** The state of one front-end's releases. */
export const deployment = z.object({
  name: z.string(),
  /** Changes name the revision they are based on. */
  revision: z.string(),
  served: z.string(),
  deployed: z.string(),
  /** Why the served release isn't the last deployed one. */
  held: z.enum(['pinned', 'rolled back', 'promoted']).optional(),
  /** The release before the served one, which a roll-back returns to. */
  before: z.string().optional(),
  /** Newest first; at most a handful are kept. */
  releases: z.array(release),
  canary: figures
    .extend({
      version: z.string(),
      since: z.string(),
      /** Too many errors, but without those of one network too few. Services of earlier releases don't say. */
      oneNetwork: z.boolean().optional(),
      ...canaryRules.shape,
    })
    .optional(),
  decision: decision.optional(),
});
export type Deployment = z.output<typeof deployment>;

/** The calls about releases of front-ends. */
export const deploymentCalls = defineCalls('identity', {
  listDeployments: {
    method: 'GET',
    path: '/deployments',
    access: { kind: 'restricted', roles: admin },
    summary: 'Get the releases of each front-end, its canary, and what visitors’ pages report about them',
    response: z.object({
      /** Days that the figures cover. */
      days: z.number(),
      /** Those whose releases are kept. */
      frontEnds: z.array(deployment),
    }),
    unnoted: 'which admin decided about a release',
  },
  changeDeployment: {
    method: 'POST',
    path: '/deployments/:name',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'changed_meanwhile', 'transition_refused', 'proof_needed'],
    summary: 'Pin or unpin a release, roll back, start or stop a canary; based on the revision that the admin has seen',
    params: z.object({ name: z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'This isn’t a front-end') }),
    body: z.discriminatedUnion(
      'kind',
      [
        z.object({ kind: z.literal('pin'), revision, version }),
        z.object({ kind: z.enum(['unpin', 'rollback', 'stop']), revision }),
        z.object({ kind: z.literal('canary'), revision, version, ...canaryRules.shape }),
      ],
      { error: 'Kind must be pin, unpin, rollback, canary or stop' },
    ),
    response: deployment,
    decides: {
      'params.name': 'database',
      'body.kind': 'record',
      'body.revision': 'record',
      'body.version': 'database',
    },
    unnoted: 'which admin decided about a release',
  },
});
