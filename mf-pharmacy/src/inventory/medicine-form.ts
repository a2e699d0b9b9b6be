import type { ApiProblem } from '@clinic/app-kit';
import type { MedicineUnit } from '@clinic/contracts';
import type { UseFormSetError } from 'react-hook-form';

/** What a pharmacist states about a medicine, whether it is new or edited. */
export interface MedicineForm {
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly quantity: number;
  readonly unit: MedicineUnit;
  /** 'yyyy-mm-dd' */
  readonly expiryDate: string;
  /** Decimal amount. */
  readonly pricePerUnit: number;
  /** Units that one customer may have on order; `null`: the usual limit of the unit. */
  readonly maxPerCustomer: number | null;
}

const fields = ['medicineId', 'name', 'manufacturer', 'quantity', 'unit', 'expiryDate', 'pricePerUnit', 'maxPerCustomer'] as const satisfies readonly (keyof MedicineForm)[];

/**
 * Puts the server's field errors beside the fields.
 *
 * @param prefix - where the fields are in the call's body, e.g. `medicine.`
 * @returns whether there were any
 */
export function showFieldErrors(problem: ApiProblem, setError: UseFormSetError<MedicineForm>, prefix = ''): boolean {
  const refused = fields.flatMap((field) => {
    const message = problem.fieldError(`${prefix}${field}`);
    return message === undefined ? [] : [{ field, message }];
  });
  refused.forEach(({ field, message }, index) => setError(field, { message }, { shouldFocus: index === 0 }));
  return refused.length > 0;
}
