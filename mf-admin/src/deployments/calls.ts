import { addCalls } from '@clinic/app-kit';
import type { CallBody } from '@clinic/contracts';
import { deploymentCalls, type Deployment } from '@clinic/svc-identity/contract/deployment-calls';

// The table of all pages doesn’t have them.
addCalls(deploymentCalls);

export type Release = Deployment['releases'][number];

/** What an admin wants changed, based on the revision they have seen. */
export type Change = CallBody<'changeDeployment'>;
export type CanaryChange = Extract<Change, { readonly kind: 'canary' }>;

/** What a dialog about a change needs. */
export interface ChangeDialogProps<Chosen = Exclude<Change, CanaryChange>> {
  readonly deployment: Deployment;
  readonly change: Chosen;
  readonly busy: boolean;
  readonly onConfirm: (change: Change) => void;
  readonly onCancel: () => void;
}
