import { useChange } from '@clinic/app-kit/records';
import { Button, Dialog } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useState } from 'react';
import { DeletionProgress } from './deletion-panel.tsx';
import { EmailConfirmation } from './email-confirmation.tsx';

interface AddressDeletionProps {
  /** Lower case; no account has it. */
  readonly email: string;
  readonly onClose: () => void;
}

/** Deletes what staff made for an address that has no account: says what will happen, and shows how far it has got. */
export function AddressDeletion({ email, onClose }: AddressDeletionProps) {
  const [id, setId] = useState<string>();
  const start = useChange('startErasure', { invalidates: ['listUsers'], onDone: ({ userId }) => setId(userId) });
  const erase = () => start.mutate({ params: { email }, query: { userId: undefined, withoutAccount: 'true' } });
  return (
    <Dialog open title={`Delete ${email}`} onClose={() => !start.isPending && onClose()}>
      {id === undefined ? (
        <div className="grid gap-4">
          <ul className="grid list-disc gap-1 ps-5">
            <li>We cancel upcoming appointments and unsent orders with this address.</li>
            <li>
              We remove name, email, phone, address and age everywhere, including the history. We keep past appointments
              and orders, without a name.
            </li>
            <li>
              <strong>This can’t be undone.</strong>
            </li>
          </ul>
          <EmailConfirmation
            email={email}
            mismatch="This isn’t the email address"
            confirmLabel="Delete the person"
            cancelLabel="Go back"
            busy={start.isPending}
            onConfirm={erase}
            onCancel={onClose}
          />
        </div>
      ) : (
        <DeletionProgress id={id} name={email} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** For a search for a whole address that no account has: staff may have booked or ordered for it. */
export function NoAccount({ email, onDelete }: { readonly email: string; readonly onDelete: () => void }) {
  return (
    <p className="mt-4 flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-muted">
      <span>
        No account has the address <EmailText email={email} />. We may have booked or ordered for it.
      </span>
      <Button variant="ghost" size="sm" icon="trash" aria-label={`Delete the person with ${email}`} onClick={onDelete}>
        Delete the person
      </Button>
    </p>
  );
}
