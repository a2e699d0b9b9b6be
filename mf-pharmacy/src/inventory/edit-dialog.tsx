import { toMajor } from '@clinic/contracts/money';
import { useChange } from '@clinic/app-kit';
import { Alert, Button, Dialog } from '@clinic/ui';
import { useId } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Medicine } from '../medicines/medicine.ts';
import { MedicineFields } from './medicine-fields.tsx';
import { showFieldErrors, type MedicineForm } from './medicine-form.ts';

export interface EditDialogProps {
  readonly medicine: Medicine;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  readonly onClose: () => void;
}

/** Corrects what is stated about a medicine; its stock changes by orders and deliveries only. */
export function EditDialog({ medicine, today, onClose }: EditDialogProps) {
  const formId = useId();
  const { id, name, priceMinor, ...stated } = medicine;
  const { register, handleSubmit, formState, control, setError } = useForm<MedicineForm>({
    defaultValues: { ...stated, name, unit: stated.unit as MedicineForm['unit'], pricePerUnit: toMajor(priceMinor) },
  });
  const expiryDate = useWatch({ control, name: 'expiryDate' });
  const change = useChange('updateMedicine', {
    invalidates: ['listMedicines'],
    success: (record) => `${record.medicine.name} was changed.`,
    onDone: onClose,
    onError: (problem) => showFieldErrors(problem, setError),
  });

  function save({ name: newName, manufacturer, unit, expiryDate: newExpiry, pricePerUnit }: MedicineForm): void {
    if (change.isPending) return;
    change.mutate({ params: { id }, body: { name: newName, manufacturer, unit, expiryDate: newExpiry, pricePerUnit } });
  }

  return (
    <Dialog
      open wide title={`Edit ${name}`} onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} busy={change.isPending}>Save</Button>
        </>
      }
    >
      <form id={formId} noValidate className="grid gap-5 text-base-content sm:grid-cols-2" onSubmit={handleSubmit(save)}>
        <MedicineFields register={register} errors={formState.errors} expiryDate={expiryDate} today={today} />
        {change.error && <div className="sm:col-span-2"><Alert kind="error" title="Nothing was changed">{change.error.message}</Alert></div>}
      </form>
    </Dialog>
  );
}
