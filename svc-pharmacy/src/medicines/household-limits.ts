import { parsedBy, type Setting } from '@clinic/service-kit';
import { maxLineQuantity, medicineUnits, type MedicineUnit } from '../contract/limits.ts';

/** Units of one medicine that a customer may have on order, by the medicine's unit. */
export type HouseholdLimits = Readonly<Record<MedicineUnit, number>>;

/**
 * Default limits: ten packages, or about their content. A strip holds about ten tablets, so a hundred tablets or ten strips
 * last a month at three a day; pharmacies in Britain sell at most a hundred paracetamol or aspirin tablets without
 * prescription.
 */
export const usualLimits: HouseholdLimits = {
  box: 10,
  bottle: 10,
  strip: 10,
  piece: 100,
  tablet: 100,
  ml: 1_000,
  mg: 1_000,
};

/**
 * A customer's limit for a medicine: the one a pharmacist has set, or else the default of its unit. It keeps one account from
 * buying up the stock; a household needs far less.
 *
 * @returns units
 */
export function customerLimit(
  { maxPerCustomer, unit }: { readonly maxPerCustomer?: number | null; readonly unit: string },
  limits: HouseholdLimits,
): number {
  return maxPerCustomer ?? limits[medicineUnits.find((known) => known === unit) ?? 'box'];
}

/** A setting such as `box=20,tablet=200`: other units keep their default. */
export function householdLimits(): Setting<HouseholdLimits> {
  return {
    expected: `must be limits by unit (${medicineUnits.join(', ')}), each from 1 to ${maxLineQuantity}, separated by commas`,
    example: 'box=20,tablet=200',
    default: usualLimits,
    schema: parsedBy((value) => {
      const limits: Record<MedicineUnit, number> = { ...usualLimits };
      for (const part of value.split(',')) {
        const [, name, figure] = /^\s*(\w+)\s*=\s*(\d{1,6})\s*$/.exec(part) ?? [];
        const unit = medicineUnits.find((known) => known === name);
        const units = Number(figure);
        if (unit === undefined || units < 1 || units > maxLineQuantity) return undefined;
        limits[unit] = units;
      }
      return limits;
    }),
  };
}
