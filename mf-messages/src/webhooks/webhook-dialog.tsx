import { useChange } from '@clinic/app-kit/records';
import { failureTitle } from '@clinic/contracts/outcome';
import { webhookKinds } from '@clinic/svc-messages/contract/webhook-kinds';
import { Alert, Button, Dialog, TextField } from '@clinic/ui';
import { useId, useState, type SyntheticEvent } from 'react';
import type { Webhook } from '../calls.ts';
import { labelOf } from '../words.ts';

interface WebhookDialogProps {
  /** The one to change; absent: a new one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  /** A new webhook has a secret, which is shown once. */
  readonly onAdded: (added: { readonly url: string; readonly secret: string }) => void;
}

type Kinds = Webhook['kinds'];

/** A webhook's address, and the events it receives. */
export function WebhookDialog({ webhook, onClose, onAdded }: WebhookDialogProps) {
  const form = useId();
  const [edits, setEdits] = useState<Partial<Pick<Webhook, 'url' | 'kinds'>>>({});
  const { url = webhook?.url ?? '', kinds = webhook?.kinds ?? [] } = edits;
  const add = useChange('addWebhook', { invalidates: ['listWebhooks'], failure: false, onDone: onAdded });
  const change = useChange('changeWebhook', {
    invalidates: ['listWebhooks'],
    success: 'The webhook is changed',
    undo: () =>
      webhook && {
        call: 'changeWebhook',
        input: { params: { id: webhook._id }, body: { url: webhook.url, kinds: webhook.kinds } },
        done: 'The webhook is as it was',
      },
    failure: false,
    onDone: onClose,
  });
  const { error, isPending } = webhook ? change : add;
  const fault = error?.problem.errors?.find(({ field }) => field === 'url')?.message;

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (isPending) return;
    // Only what was changed: somebody else may be changing the rest.
    if (webhook && Object.keys(edits).length === 0) onClose();
    else if (webhook) change.mutate({ params: { id: webhook._id }, body: edits });
    else add.mutate({ body: { url, kinds } });
  }

  return (
    <Dialog
      open
      title={webhook ? 'Change the webhook' : 'Add a webhook'}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={isPending}>
            {webhook ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="grid gap-5" onSubmit={submit}>
        <TextField
          label="Address"
          type="url"
          required
          autoComplete="off"
          hint="It begins with https:// and is on the public internet."
          value={url}
          error={fault}
          onChange={(event) => setEdits({ ...edits, url: event.target.value })}
        />
        <KindChoice kinds={kinds} onChange={(chosen) => setEdits({ ...edits, kinds: chosen })} />
        {error && fault === undefined && (
          <Alert kind="error" title={failureTitle(error, 'We couldn’t save the webhook')}>
            {error.message}
          </Alert>
        )}
      </form>
    </Dialog>
  );
}

/** The events it receives; none chosen means all, also those of later releases. */
function KindChoice({ kinds, onChange }: { readonly kinds: Kinds; readonly onChange: (kinds: Kinds) => void }) {
  const toggled = (kind: Kinds[number]): Kinds =>
    kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind];
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Events</legend>
      <p className="mb-2 text-sm text-muted">Choose none to send all of them.</p>
      <div className="grid gap-x-6 sm:grid-cols-2">
        {webhookKinds.map((kind) => (
          <label key={kind} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              className="size-5 flex-none accent-primary"
              checked={kinds.includes(kind)}
              onChange={() => onChange(toggled(kind))}
            />
            {labelOf(kind)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
