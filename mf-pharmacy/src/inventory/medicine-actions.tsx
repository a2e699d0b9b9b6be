import { Button } from '@clinic/ui';
import { RowMenu, useTableLayout } from '@clinic/ui/tables';
import { isExpired, type Medicine } from '../medicines/medicine.ts';

export type MedicineDialog = 'restock' | 'adjust' | 'write off' | 'movements' | 'edit' | 'archive' | 'history';

export interface MedicineActionsProps {
  readonly medicine: Medicine;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  readonly onOpen: (dialog: MedicineDialog) => void;
}

/** What can be done with a medicine: what people come for stays visible, the rest is in a menu. */
export function MedicineActions({ medicine, today, onOpen }: MedicineActionsProps) {
  const { name, quantity, archived } = medicine;
  const onCard = useTableLayout() === 'cards';
  const open = (dialog: MedicineDialog) => () => onOpen(dialog);
  const first =
    isExpired(medicine, today) && quantity > 0 ? (
      <Button size="sm" variant="soft" aria-label={`Write off what is left of ${name}`} onClick={open('write off')}>
        Write off
      </Button>
    ) : (
      <Button size="sm" variant="soft" aria-label={`Restock ${name}`} onClick={open('restock')}>
        Restock
      </Button>
    );
  const edit = (
    <Button size="sm" variant="ghost" icon="edit" aria-label={`Edit ${name}`} onClick={open('edit')}>
      Edit
    </Button>
  );
  const inMenu = (dialog: MedicineDialog, label: string) => (
    <Button size="sm" variant="ghost" aria-label={`${label}: ${name}`} onClick={open(dialog)}>
      {label}
    </Button>
  );
  const menu = (
    <RowMenu
      folded
      label={`More actions: ${name}`}
      beside={
        onCard ? (
          <>
            {first}
            {edit}
          </>
        ) : (
          edit
        )
      }
    >
      {inMenu('adjust', 'Adjust stock')}
      {inMenu('movements', 'Movements')}
      <Button size="sm" variant="ghost" icon="clock" aria-label={`History of ${name}`} onClick={open('history')}>
        History
      </Button>
      {inMenu('archive', archived ? 'Bring back' : 'Archive')}
    </RowMenu>
  );
  if (onCard) return menu;
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {first}
      {menu}
    </span>
  );
}
