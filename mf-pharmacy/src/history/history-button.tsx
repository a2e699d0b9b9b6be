import { Button } from '@clinic/ui';
import { useState } from 'react';
import { HistoryDialog, type HistoryDialogProps } from './history-dialog.tsx';

export interface HistoryButtonProps extends Pick<HistoryDialogProps, 'call' | 'id'> {
  /** The record's name, for assistive technology and the dialog's title. */
  readonly of: string;
}

/** Opens a record's history. */
export function HistoryButton({ of, ...record }: HistoryButtonProps) {
  const [open, setOpen] = useState(false);
  const title = `History of ${of}`;
  return (
    <>
      <Button size="sm" variant="ghost" icon="clock" aria-label={title} onClick={() => setOpen(true)}>
        History
      </Button>
      {open && <HistoryDialog {...record} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}
