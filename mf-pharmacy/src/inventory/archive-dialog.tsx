import { useChange } from '@clinic/app-kit/records';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState } from 'react';
import type { Medicine } from '../medicines/medicine.ts';
import { amountOf } from '../medicines/units.ts';

export interface ArchiveDialogProps {
  readonly medicine: Medicine;
  readonly onClose: () => void;
}

/** Takes a medicine out of the store and the inventory, or brings it back. */
export function ArchiveDialog({
  medicine: { id, name, quantity, unit, archived: listed = false },
  onClose,
}: ArchiveDialogProps) {
  // The question stays the one that was asked for, whatever somebody else does meanwhile.
  const [archived] = useState(listed);
  const change = useChange('updateMedicine', {
    invalidates: ['listMedicines'],
    success: archived ? `${name} is back in the inventory.` : `${name} is archived.`,
    undo: () => ({
      call: 'updateMedicine',
      input: { params: { id }, body: { archived } },
      done: archived ? `${name} is archived again.` : `${name} is back in the inventory.`,
    }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      title={archived ? `Bring ${name} back?` : `Archive ${name}?`}
      confirmLabel={archived ? 'Bring back' : 'Archive'}
      onConfirm={() => {
        if (!change.isPending) change.mutate({ params: { id }, body: { archived: !archived } });
      }}
      onCancel={onClose}
    >
      {archived
        ? 'The inventory and the store show it again.'
        : `The store and the inventory no longer show it. Orders and history keep it, and you can bring it back.${quantity > 0 ? ` ${amountOf(quantity, unit)} stay in its stock: write them off first if they’re gone.` : ''}`}
    </ConfirmDialog>
  );
}
