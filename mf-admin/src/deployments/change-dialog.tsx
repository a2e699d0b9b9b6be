import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { ConfirmDialog } from '@clinic/ui/tables';
import type { ChangeDialogProps } from './calls.ts';

/** Asks before changing which release visitors get. */
export function ChangeDialog({ deployment, change, busy, onConfirm, onCancel }: ChangeDialogProps) {
  const { title, text, label } = questionOf(deployment, change);
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={label}
      busy={busy}
      onCancel={onCancel}
      onConfirm={() => onConfirm(change)}
    >
      {text}
    </ConfirmDialog>
  );
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly label: string;
}

const openPages = 'Open pages keep what they have loaded.';

function questionOf(
  { name, before = '', deployed, canary }: Deployment,
  change: ChangeDialogProps['change'],
): Question {
  switch (change.kind) {
    case 'pin':
      return {
        title: `Pin ${change.version} of ${name}?`,
        text: `Everybody gets ${change.version}, whatever is deployed, until somebody unpins it. ${openPages}`,
        label: 'Pin it',
      };
    case 'unpin':
      return {
        title: `Unpin ${name}?`,
        text: `Everybody gets ${deployed}, the release deployed last. ${openPages}`,
        label: 'Unpin it',
      };
    case 'rollback':
      return {
        title: `Roll back ${name} to ${before}?`,
        text: `Everybody gets ${before}, until another release is deployed or somebody unpins it. ${openPages}`,
        label: 'Roll back',
      };
    case 'stop':
    default:
      return {
        title: `Stop the canary ${canary?.version ?? ''} of ${name}?`,
        text: `Nobody gets it any more. ${openPages}`,
        label: 'Stop it',
      };
  }
}

/** Notifies the admin of a change. */
export function doneText({ name, served, canary }: Deployment): string {
  return canary ? `${name}: part of the visitors gets ${canary.version}` : `${name}: everybody gets ${served}`;
}
