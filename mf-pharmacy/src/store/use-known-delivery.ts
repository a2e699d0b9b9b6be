import { addCalls, useCall } from '@clinic/app-kit';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import type { DeliveryDetails } from './delivery-draft.ts';

addCalls({ listAppointments: clinicCalls.listAppointments });

/**
 * The account's name, and delivery address and phone number from the account, the last order that was delivered or the last appointment, in that
 * order.
 *
 * @returns `undefined` while loading; empty texts for what nobody knows, and for what can't be loaded: people can type
 */
export function useKnownDelivery(email: string): DeliveryDetails | undefined {
  const account = useCall('getUser', { params: { email } });
  const orders = useCall('listOrders', { query: { email, limit: 5 } });
  // One that was collected has the counter for an address.
  const order = orders.data?.find(({ collected }) => !collected);
  const phone = account.data?.phone || order?.customerPhone || '';
  const address = account.data?.address || order?.deliveryAddress || '';
  const known = !account.isPending && !orders.isPending;
  const lacking = known && (phone === '' || address === '');
  const appointments = useCall('listAppointments', { query: { email, limit: 5 } }, { enabled: lacking });
  if (!known || (lacking && appointments.isPending)) return undefined;
  const appointment = appointments.data?.find(({ patientemail }) => patientemail === email);
  const { firstName = '', lastName = '' } = account.data ?? {};
  return {
    name: `${firstName} ${lastName}`.trim(),
    phone: phone || appointment?.number || '',
    address: address || appointment?.address || '',
  };
}
