import { notify } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, Dialog, TextField } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useRef } from 'react';
import type { Webhook } from '../calls.ts';

interface SecretDialogProps {
  readonly url: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook once: it can't be read again. */
export function SecretDialog({ url, secret, onClose }: SecretDialogProps) {
  const field = useRef<HTMLInputElement>(null);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
      notify.success('The secret is copied');
    } catch (error) {
      // The browser doesn't allow copying: the person does it by hand.
      console.warn('Could not copy', error);
      field.current?.select();
      notify.info('Press Ctrl+C to copy the secret');
    }
  }

  return (
    <Dialog open title="The webhook’s secret" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <div className="grid gap-5">
        <Alert kind="warning" title="Copy it now">
          We won’t show it again. If it’s lost, make a new one.
        </Alert>
        <p className="text-sm wrap-anywhere text-muted">
          The program at {url} checks with it that events come from this clinic.
        </p>
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            ref={field}
            label="Secret"
            readOnly
            value={secret}
            className="min-w-0 flex-[1_1_14rem]"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button icon="clipboard" variant="secondary" onClick={() => void copy()}>
            Copy
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface RotateDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onRotated: (rotated: { readonly url: string; readonly secret: string }) => void;
}

/** Asks before a webhook gets a new secret. */
export function RotateDialog({ webhook: { _id, url }, onClose, onRotated }: RotateDialogProps) {
  const rotate = useChange('rotateWebhookSecret', { onDone: onRotated });
  return (
    <ConfirmDialog
      open
      title="Make a new secret?"
      confirmLabel="Make a new secret"
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate({ params: { id: _id } })}
      onCancel={onClose}
    >
      <p className="wrap-anywhere">
        The program at {url} needs it within 24 hours. Until then the present secret works too; older ones end now.
      </p>
    </ConfirmDialog>
  );
}
