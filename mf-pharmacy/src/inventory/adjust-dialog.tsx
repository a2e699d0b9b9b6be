import { useCall } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallBody } from '@clinic/contracts';
import { failureTitle } from '@clinic/contracts/outcome';
import type { AdjustReason } from '@clinic/svc-pharmacy/contract/stock-reasons';
import { adjustReasons, maxAdjustment } from '@clinic/svc-pharmacy/contract/stock-reasons';
import { Alert, NumberField, SelectField, TextField } from '@clinic/ui';
import { useId } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { FormDialog } from '../form-dialog.tsx';
import { readMedicine, type Medicine } from '../medicines/medicine.ts';
import { amountOf } from '../medicines/units.ts';
import { reasonLabels } from './movement-words.ts';

export interface AdjustDialogProps {
  readonly medicine: Pick<Medicine, 'id' | 'name'>;
  /** The reason to begin with; what is left is then proposed to be written off. */
  readonly reason?: 'expired' | undefined;
  readonly onClose: () => void;
}

/** Corrects the stock of a medicine, with a reason. Starts from what is stored now: the list may be some seconds old. */
export function AdjustDialog({ medicine: { id, name }, reason, onClose }: AdjustDialogProps) {
  const formId = useId();
  const stored = useCall('getMedicine', { params: { id } }, { staleTime: 0 });
  const { refetch } = stored;
  // Not what an earlier look has left: the form begins with it.
  const data = stored.isFetchedAfterMount ? stored.data : undefined;
  const change = useChange('adjustStock', {
    invalidates: ['listMedicines', 'listMovements', 'getMedicine'],
    success: (record) => `${name}: ${Number(record.medicine.quantity.$numberInt).toLocaleString('en')} in stock now.`,
    // The form shows it.
    failure: false,
    onDone: onClose,
    onError: () => void refetch(),
  });
  return (
    <FormDialog
      title={`Adjust the stock of ${name}`}
      formId={formId}
      submitLabel="Save"
      busy={change.isPending}
      medicine={{ ...stored, data }}
      onClose={onClose}
    >
      {change.error && (
        <div className="mb-4">
          <Alert kind="error" title={failureTitle(change.error, 'The stock wasn’t changed')}>
            {change.error.message}
          </Alert>
        </div>
      )}
      {data && (
        <AdjustForm
          id={formId}
          stock={{ ...readMedicine(data), held: data.held ?? 0 }}
          reason={reason}
          problemWith={(field) => change.error?.fieldError(field)}
          onSave={(body) => {
            if (!change.isPending) change.mutate({ params: { id }, body });
          }}
        />
      )}
    </FormDialog>
  );
}

interface Stock {
  readonly quantity: number;
  readonly unit: string;
  /** Units on the shelf that pending orders hold. */
  readonly held: number;
}

interface AdjustFormProps {
  readonly id: string;
  readonly stock: Stock;
  readonly reason: AdjustReason | undefined;
  readonly problemWith: (field: string) => string | undefined;
  readonly onSave: (body: CallBody<'adjustStock'>) => void;
}

interface AdjustFields {
  /** Empty until one is chosen. */
  readonly reason: AdjustReason | '';
  readonly direction: 'out' | 'in';
  /** Units to take out or add; for a count, what is on the shelf. */
  readonly units: number;
  readonly note: string;
}

/** What changes, in units; a count is of all that is on the shelf, held units included. */
export function changeOf({ reason, direction, units }: Omit<AdjustFields, 'note'>, { quantity, held }: Stock): number {
  if (reason === 'counted') return units - quantity - held;
  const isAdded = reason === 'returned' || (reason === 'other' && direction === 'in');
  return isAdded ? units : -units;
}

/** What to send: with a number that comes from what is on the shelf, what that was. */
function adjustmentOf(fields: AdjustFields & { reason: AdjustReason }, stock: Stock): CallBody<'adjustStock'> {
  const { reason, note } = fields;
  const isOfShelf = reason === 'counted' || reason === 'expired';
  return {
    by: changeOf(fields, stock),
    reason,
    note: note.trim(),
    seen: isOfShelf ? { onShelf: stock.quantity + stock.held } : undefined,
  };
}

function AdjustForm({ id, stock, reason, problemWith, onSave }: AdjustFormProps) {
  const { quantity, held, unit } = stock;
  const { register, handleSubmit, control, formState } = useForm<AdjustFields>({
    defaultValues: {
      reason: reason ?? '',
      direction: 'out',
      note: '',
      ...(reason === 'expired' && { units: quantity }),
    },
  });
  const { errors } = formState;
  const typed = useWatch({ control });
  const counting = typed.reason === 'counted';
  const by = Number.isInteger(typed.units) && typed.reason ? changeOf(typed as AdjustFields, stock) : undefined;
  const fields = register('units', {
    valueAsNumber: true,
    validate: (units, form) => {
      if (Number.isNaN(units)) return counting ? 'Enter how many you counted' : 'Enter how many units';
      if (!Number.isInteger(units) || units < 0) return 'Enter a whole number';
      const changed = changeOf(form, stock);
      if (changed === 0) return counting ? 'That is what we have. There is nothing to adjust' : 'Enter 1 or more';
      if (quantity + changed < 0)
        return counting
          ? `Pending orders hold ${amountOf(held, unit)}. Cancel some of them first`
          : `You can take out ${amountOf(quantity, unit)} at most`;
      return Math.abs(changed) <= maxAdjustment || `Change ${maxAdjustment.toLocaleString('en')} units or fewer`;
    },
  });
  return (
    <form
      id={id}
      noValidate
      className="grid gap-5 text-base-content"
      onSubmit={handleSubmit(
        ({ reason: chosen, ...form }) => chosen && onSave(adjustmentOf({ ...form, reason: chosen }, stock)),
      )}
    >
      <p>
        In stock: {amountOf(quantity, unit)}
        {held > 0 && `, and ${held.toLocaleString('en')} more on the shelf for pending orders`}.
      </p>
      <SelectField
        label="Reason"
        required
        placeholder="Choose a reason"
        options={adjustReasons.map((value) => ({ value, label: reasonLabels[value] }))}
        error={errors.reason?.message}
        {...register('reason', { validate: (chosen) => Boolean(chosen) || 'Choose a reason' })}
      />
      {typed.reason === 'other' && (
        <SelectField
          label="Direction"
          options={[
            { value: 'out', label: 'Take out of the stock' },
            { value: 'in', label: 'Add to the stock' },
          ]}
          {...register('direction')}
        />
      )}
      <NumberField
        label={counting ? 'Counted on the shelf' : 'Units'}
        required
        min={0}
        max={maxAdjustment}
        hint={hintOf(by, stock, counting)}
        error={errors.units?.message ?? problemWith('by')}
        {...fields}
      />
      <TextField
        label="Note"
        required={typed.reason === 'other'}
        hint={typed.reason === 'other' ? undefined : 'Anything a colleague should know.'}
        error={errors.note?.message ?? problemWith('note')}
        {...register('note', {
          validate: (note, form) => form.reason !== 'other' || note.trim() !== '' || 'Say what happened',
        })}
      />
    </form>
  );
}

function hintOf(by: number | undefined, { quantity, held, unit }: Stock, counting: boolean): string | undefined {
  const counted = counting
    ? `We expect ${amountOf(quantity + held, unit)}${held > 0 ? ', with those held for orders' : ''}.`
    : undefined;
  if (by === undefined || by === 0 || quantity + by < 0) return counted;
  const then = `Then ${amountOf(quantity + by, unit)} in stock (${by > 0 ? '+' : '−'}${Math.abs(by).toLocaleString('en')}).`;
  return counted ? `${counted} ${then}` : then;
}
