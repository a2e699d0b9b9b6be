import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { APIRequestContext } from '@playwright/test';
import { ours, read } from './people.ts';

/** What a booking can't do without; the rest has values that no test looks at. */
type Booking = Pick<Appointment, 'patientname' | 'patientemail' | 'doctoremail' | 'date' | 'time'>;

/** Books an appointment without the form. @param api - of the patient, who is logged in */
export async function book(api: APIRequestContext, booking: Booking): Promise<Appointment> {
  const data = { age: 40, address: '5 Lake Road', number: '+880 1555 777004', ...booking };
  return read<Appointment>(await api.post('/appoinments', { headers: ours, data }));
}
