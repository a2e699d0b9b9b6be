import { Button } from '@clinic/ui';
import { useState } from 'react';
import { HistoryDialog, type HistoryDialogProps } from './history-dialog.tsx';

/** Opens the history of one record. @param of - the record's name, for assistive technology and the dialog's title */
export function HistoryButton({ of, ...record }: Pick<HistoryDialogProps, 'call' | 'id'> & { readonly of: string }) {
  const [open, setOpen] = useState(false);
  const title = `History of ${of}`;
  return (
    <>
      <Button size="sm" variant="ghost" icon="clock" className="btn-square" aria-label={title} title="History" onClick={() => setOpen(true)} />
      {open && <HistoryDialog {...record} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}
