import { useChange } from '@clinic/app-kit/records';
import { maxAdjustment } from '@clinic/svc-pharmacy/contract/stock-reasons';
import { NumberField } from '@clinic/ui';
import { unitName } from '../medicines/units.ts';
import { useEffect, useId } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { FormDialog } from '../form-dialog.tsx';
import type { Medicine } from '../medicines/medicine.ts';

export interface RestockDialogProps {
  readonly medicine: Medicine;
  readonly onClose: () => void;
}

/** Adds units received to the stock. */
export function RestockDialog({ medicine: { id, name, quantity, unit }, onClose }: RestockDialogProps) {
  const formId = useId();
  const { register, handleSubmit, formState, control, setFocus } = useForm<{ units: number }>();
  const units = useWatch({ control, name: 'units' });
  useEffect(() => setFocus('units'), [setFocus]);
  const change = useChange('updateMedicine', {
    invalidates: ['listMedicines'],
    success: (record) => `${name}: ${Number(record.medicine.quantity.$numberInt).toLocaleString('en')} in stock now.`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Restock ${name}`}
      formId={formId}
      submitLabel="Add to stock"
      submitIcon="plus"
      busy={change.isPending}
      onClose={onClose}
    >
      <form
        id={formId}
        noValidate
        className="text-base-content"
        onSubmit={handleSubmit(({ units: restock }) => {
          if (!change.isPending) change.mutate({ params: { id }, body: { restock } });
        })}
      >
        <NumberField
          label="Units received"
          required
          min={1}
          max={maxAdjustment}
          hint={`On hand: ${quantity.toLocaleString('en')} ${unitName(quantity, unit)}${units >= 1 ? `, then ${(quantity + units).toLocaleString('en')}` : ''}.`}
          error={formState.errors.units?.message ?? change.error?.fieldError('restock')}
          {...register('units', {
            valueAsNumber: true,
            validate: (value) => {
              if (Number.isNaN(value)) return 'Enter how many you received';
              if (!Number.isInteger(value)) return 'Quantity must be a whole number';
              if (value < 1) return 'Enter 1 or more';
              return value <= maxAdjustment || `Enter ${maxAdjustment.toLocaleString('en')} or less`;
            },
          })}
        />
      </form>
    </FormDialog>
  );
}
