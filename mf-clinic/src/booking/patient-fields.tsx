import { maxText } from '@clinic/contracts/limits';
import { maxAge } from '@clinic/svc-clinic/contract/limits';
import { NumberField, TextField } from '@clinic/ui';
import type { ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { PatientDetail } from './booking-fields.ts';

interface PatientFieldsProps {
  /** Registers a field with its form. */
  readonly field: (name: PatientDetail) => UseFormRegisterReturn & { readonly error: string | undefined };
  /** Whether the browser may offer the user's own details. */
  readonly own?: boolean;
  /** Fields after the name. */
  readonly children?: ReactNode;
}

/** The fields of an appointment about the person who comes. */
export function PatientFields({ field, own = false, children }: PatientFieldsProps) {
  const fill = (detail: string) => ({ autoComplete: own ? detail : 'off' });
  return (
    <>
      <TextField label="Patient name" required maxLength={maxText} {...fill('name')} {...field('patientname')} />
      {children}
      <NumberField label="Age" required min={1} max={maxAge} {...field('age')} />
      <TextField label="Phone number" type="tel" required maxLength={33} {...fill('tel')} {...field('number')} />
      <TextField
        className="sm:col-span-2"
        label="Address"
        required
        maxLength={maxText}
        {...fill('street-address')}
        {...field('address')}
      />
    </>
  );
}
