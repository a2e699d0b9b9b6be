import { useConfig } from '@clinic/app-kit';
import { maxLineQuantity, medicineCategories, medicineUnits } from '@clinic/svc-pharmacy/contract/limits';
import { DateField, NumberField, SelectField, TextField } from '@clinic/ui';
import type { ReactNode } from 'react';
import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { isExpired } from '../medicines/medicine.ts';
import type { MedicineForm } from './medicine-form.ts';

export interface MedicineFieldsProps {
  readonly register: UseFormRegister<MedicineForm>;
  readonly errors: FieldErrors<MedicineForm>;
  /** Current value of the expiry field. */
  readonly expiryDate: string;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  /** Renders further fields, after name and manufacturer: the first wrong field to be registered gets the focus. */
  readonly children?: () => ReactNode;
}

/** The fields shared by new and edited medicines. */
export function MedicineFields({ register, errors, expiryDate, today, children }: MedicineFieldsProps) {
  const sign = useConfig().currency?.trim() ?? '$';
  const hasPassed = expiryDate !== '' && isExpired({ expiryDate }, today);
  return (
    <>
      <TextField
        label="Medicine Name"
        required
        autoComplete="off"
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || 'Name is required' })}
      />
      <TextField
        label="Manufacturer"
        autoComplete="off"
        error={errors.manufacturer?.message}
        {...register('manufacturer')}
      />
      {children?.()}
      <SelectField
        label="Category"
        options={[{ value: '', label: 'None' }, ...medicineCategories]}
        hint="What it is for. The store’s filter uses it."
        error={errors.category?.message}
        {...register('category', { setValueAs: (text: string | null) => text || null })}
      />
      <SelectField label="Unit" required options={medicineUnits} error={errors.unit?.message} {...register('unit')} />
      <DateField
        label="Expiry Date"
        required
        hint={hasPassed ? 'This date has passed, so the store won’t sell it.' : undefined}
        error={errors.expiryDate?.message}
        {...register('expiryDate', { required: 'Expiry date is required' })}
      />
      <NumberField
        label={`Price per Unit (${sign})`}
        required
        min={0}
        step={0.01}
        error={errors.pricePerUnit?.message}
        {...register('pricePerUnit', {
          valueAsNumber: true,
          validate: (price) => {
            if (Number.isNaN(price)) return 'Price is required';
            return price >= 0 || 'Price must be 0 or more';
          },
        })}
      />
      <NumberField
        label="Most per customer"
        min={1}
        max={maxLineQuantity}
        hint="How many units one customer can have on order. Leave this empty for the usual limit."
        error={errors.maxPerCustomer?.message}
        {...register('maxPerCustomer', {
          setValueAs: (text: string | number | null) => (text === '' || text === null ? null : Number(text)),
          validate: (most) => {
            if (most === null) return true;
            if (!Number.isInteger(most)) return 'Most per customer must be a whole number';
            if (most < 1) return 'Most per customer must be 1 or more';
            return (
              most <= maxLineQuantity || `Most per customer must be ${maxLineQuantity.toLocaleString('en')} or less`
            );
          },
        })}
      />
      <label className="flex min-h-11 cursor-pointer items-start gap-3 sm:col-span-2">
        <input type="checkbox" className="mt-0.5 size-5 flex-none accent-primary" {...register('prescriptionOnly')} />
        <span>
          <span className="block font-medium">Prescription only</span>
          <span className="block text-sm text-muted">The store shows it, and only the pharmacy counter sells it.</span>
        </span>
      </label>
    </>
  );
}
