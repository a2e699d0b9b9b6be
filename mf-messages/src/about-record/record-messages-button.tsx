import { useSession } from '@clinic/app-kit';
import { Button, Dialog } from '@clinic/ui';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { RecordMessages } from './record-messages.tsx';

interface RecordMessagesButtonProps {
  readonly what: 'appointment' | 'order';
  readonly id: string;
  /** The record's name, for screen readers. */
  readonly name: string;
  /** For the person it belongs to. */
  readonly own: boolean;
}

/** Opens what was sent about a record: for the person it belongs to, and for admins. */
export function RecordMessagesButton({ what, id, name, own }: RecordMessagesButtonProps) {
  const { role } = useSession();
  const [open, setOpen] = useState(false);
  if (!own && role !== 'admin') return null;
  return (
    <>
      <Button size="sm" variant="ghost" icon="mail" aria-label={`Messages: ${name}`} onClick={() => setOpen(true)}>
        Messages
      </Button>
      {open &&
        // The row's menu closes over what is in it, and this remote's styles need its attribute.
        createPortal(
          <div data-mf="mf-messages">
            <Dialog open title={`Messages about this ${what}`} onClose={() => setOpen(false)}>
              <p className="mb-4 text-sm wrap-anywhere text-muted">{capitalised(name)}</p>
              <RecordMessages of={{ [what]: id }} own={own} />
            </Dialog>
          </div>,
          document.body,
        )}
    </>
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
