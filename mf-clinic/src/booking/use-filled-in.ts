import { useEffect } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { BookingFields } from './booking-fields.ts';
import { useKnownDetails } from './use-known-details.ts';

/** Fills in what is known about the signed-in person; what they have typed stays. */
export function useFilledIn({
  control,
  getValues,
  setValue,
}: Pick<UseFormReturn<BookingFields>, 'control' | 'getValues' | 'setValue'>): void {
  const { name, age = '', number = '', address = '' } = useKnownDetails() ?? {};
  const forThemself = useWatch({ control, name: 'patientname' }).trim() === name;
  useEffect(() => {
    if (getValues('number') === '') setValue('number', number);
    if (getValues('address') === '') setValue('address', address);
  }, [number, address, getValues, setValue]);
  useEffect(() => {
    if (age === '') return;
    const shown = getValues('age');
    if (forThemself && shown === '') setValue('age', age);
    // The age of the person who books isn't that of the person they book for.
    if (!forThemself && shown === age) setValue('age', '');
  }, [age, forThemself, getValues, setValue]);
}
