import { addCalls, useCall, useSession } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { ageOn } from '@clinic/contracts';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';
import { useEffect } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { BookingFields } from './booking-fields.ts';

addCalls({ listOrders: pharmacyCalls.listOrders });

/**
 * Fills in what is known about the signed-in person; what they have typed stays.
 *
 * @param forThemselves - somebody who books for others is no guess at the patient
 */
export function useFilledIn(
  { control, getValues, setValue }: Pick<UseFormReturn<BookingFields>, 'control' | 'getValues' | 'setValue'>,
  forThemselves: boolean,
): void {
  const { name, age = '', number = '', address = '' } = useKnownDetails(forThemselves) ?? {};
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

/** What is known about the signed-in person, for the fields of a booking; empty if unknown. */
interface KnownDetails {
  /** The person's own name: the age is theirs, not that of somebody they book for. */
  readonly name: string;
  readonly age: string;
  readonly number: string;
  readonly address: string;
}

/**
 * The signed-in person's details: from their account, their last appointment or their last order, in that order.
 *
 * @returns `undefined` while loading, and if it isn't wanted. What can't be loaded is left out: people can type
 */
function useKnownDetails(wanted: boolean): KnownDetails | undefined {
  const { user, role } = useSession();
  const today = useClinicToday();
  const email = user?.email ?? '';
  const enabled = wanted && email !== '' && role !== undefined;
  const account = useCall('getUser', { params: { email } }, { enabled });
  const appointments = useCall('listAppointments', { query: { email, limit: 5 } }, { enabled });
  const name = `${user?.firstName ?? ''} ${user?.lastName ?? ''}`.trim();
  // A doctor's list also has their patients' appointments, a parent's those of the children.
  const earlier = appointments.data?.filter(({ patientemail }) => patientemail === email) ?? [];
  const own = earlier.find(({ patientname }) => patientname === name);
  const last = own ?? earlier[0];
  const number = account.data?.phone || last?.number || '';
  const address = account.data?.address || last?.address || '';
  const known = enabled && !account.isPending && !appointments.isPending;
  const lacking = known && (number === '' || address === '');
  const orders = useCall('listOrders', { query: { email, limit: 1 } }, { enabled: lacking });
  if (!known || (lacking && orders.isPending)) return undefined;
  const age = account.data?.dateOfBirth ? ageOn(today, account.data.dateOfBirth) : own?.age;
  const order = orders.data?.[0];
  return {
    name,
    age: age !== undefined && age >= 1 ? String(age) : '',
    number: number || order?.customerPhone || '',
    address: address || order?.deliveryAddress.replaceAll('\n', ', ') || '',
  };
}
