import { useState } from 'react';
import { Button, Dialog, NumberField } from '../../index.ts';
import { ConfirmDialog } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { longText, nothing } from '../example.ts';

function DialogDefault() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Restock
      </Button>
      <Dialog open={open} title="Restock medicine" onClose={close} actions={<Button onClick={close}>Save</Button>}>
        <NumberField label="Units to add" min={1} defaultValue={10} />
      </Dialog>
    </>
  );
}

function DialogLong() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        History
      </Button>
      <Dialog wide open={open} title={longText} onClose={() => setOpen(false)}>
        {Array.from({ length: 40 }, (_, line) => (
          <p key={line}>
            {line + 1}. {longText}
          </p>
        ))}
      </Dialog>
    </>
  );
}

function ConfirmDestructive() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Cancel appointment
      </Button>
      <ConfirmDialog
        open={open}
        title="Cancel this appointment?"
        confirmLabel="Cancel appointment"
        destructive
        onConfirm={close}
        onCancel={close}
      >
        The slot becomes free for others.
      </ConfirmDialog>
    </>
  );
}

function ConfirmBusy() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Ship orders
      </Button>
      <ConfirmDialog
        open={open}
        title="Ship 12 orders?"
        confirmLabel="Ship orders"
        busy
        onConfirm={nothing}
        onCancel={() => setOpen(false)}
      />
    </>
  );
}

/** What opens over the page. */
export const dialogs = {
  Dialog: { Default: DialogDefault, 'Wide, with long text': DialogLong },
  ConfirmDialog: { Destructive: ConfirmDestructive, Busy: ConfirmBusy },
} satisfies Examples;
