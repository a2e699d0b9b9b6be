import type { ApiProblem } from '@clinic/app-kit';
import type { MedicineCategory, MedicineUnit } from '@clinic/svc-pharmacy/contract/limits';
import type { UseFormSetError } from 'react-hook-form';

/** The editable fields of a medicine, new or existing. */
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
  /** Units one customer may have on order; `null`: the unit's default. */
  readonly maxPerCustomer: number | null;
  /** What it is for; `null`: not set. */
  readonly category: MedicineCategory | null;
  /** Sold only at the counter, to somebody with a prescription. */
  readonly prescriptionOnly: boolean;
}

/** As on screen: the first wrong one gets the focus. */
const fields = [
  'name',
  'manufacturer',
  'medicineId',
  'quantity',
  'category',
  'unit',
  'expiryDate',
  'pricePerUnit',
  'maxPerCustomer',
  'prescriptionOnly',
] as const satisfies readonly (keyof MedicineForm)[];

/**
 * Shows the server's field errors at the fields.
 *
 * @param prefix - path of the fields in the call's body, e.g. `medicine.`
 */
export function showFieldErrors(problem: ApiProblem, setError: UseFormSetError<MedicineForm>, prefix = ''): void {
  const rejected = fields.flatMap((field) => {
    const message = problem.fieldError(`${prefix}${field}`);
    return message === undefined ? [] : [{ field, message }];
  });
  rejected.forEach(({ field, message }, index) => setError(field, { message }, { shouldFocus: index === 0 }));
}
