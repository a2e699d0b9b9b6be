import { addCalls } from '@clinic/app-kit';
import type { CallBody } from '@clinic/contracts';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { deploymentCalls } from '@clinic/svc-identity/contract/deployment-calls';

// The table of all pages doesn’t have them.
addCalls(deploymentCalls);

export type Release = Deployment['releases'][number];

type Body = CallBody<'changeDeployment'>;
/** A change without what it is based on. */
type Change = Body extends infer One ? (One extends unknown ? Omit<One, 'revision'> : never) : never;

/** A change that the admin has chosen and not confirmed yet. */
export interface ChosenChange {
  readonly deployment: Deployment;
  /** A canary still needs its rules. */
  readonly change: Exclude<Change, { readonly kind: 'canary' }> | { readonly kind: 'canary'; readonly version: string };
}
