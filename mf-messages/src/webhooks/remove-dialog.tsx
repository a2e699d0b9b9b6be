import { useChange } from '@clinic/app-kit/records';
import { ConfirmDialog } from '@clinic/ui/tables';
import type { Webhook } from '../calls.ts';

interface RemoveDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Asks before a webhook is removed: its secret and its deliveries go with it. */
export function RemoveDialog({ webhook: { _id, url }, onClose }: RemoveDialogProps) {
  const remove = useChange('removeWebhook', {
    invalidates: ['listWebhooks'],
    success: 'The webhook is removed',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      title="Remove the webhook?"
      confirmLabel="Remove"
      destructive
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: _id } })}
      onCancel={onClose}
    >
      <p className="wrap-anywhere">
        {url} isn’t sent anything any more. Its secret and its list of deliveries are deleted. To stop it for a while,
        pause it.
      </p>
    </ConfirmDialog>
  );
}
