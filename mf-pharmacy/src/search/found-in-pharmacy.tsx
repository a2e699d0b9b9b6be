import { clinicMoment, formatShortDate, Link, useCall, useConfig, useSession, type SlotProps } from '@clinic/app-kit';
import { SearchResults } from '@clinic/ui/search-results';
import { orderNumber } from '../orders/order-format.ts';

/** Rows of each kind: more are in the lists themselves. */
const most = 5;

/** Orders and medicines that a search names; who keeps the stock only finds medicines. */
export function FoundInPharmacy({ q }: SlotProps['search']) {
  const { role, rights } = useSession();
  const { clinicTimeZone } = useConfig();
  const staff = role === 'admin' || role === 'pharmacist';
  const keeper = staff || rights?.includes('stock') === true;
  const orders = useCall('listOrders', { query: { q, limit: most } }, { enabled: staff });
  const medicines = useCall('listMedicines', { query: { q, limit: most } }, { enabled: keeper });
  return (
    <>
      {staff && (
        <SearchResults
          title="Orders"
          component={Link}
          rows={orders.data?.map((order) => ({
            key: order._id,
            to: `/dash/orders?q=${encodeURIComponent(order.customeremail)}`,
            name: `${orderNumber(order)}, ${order.recipientName ?? order.customeremail}`,
            text: `${order.customeremail} · ${formatShortDate(clinicMoment(new Date(order.orderDate), clinicTimeZone).date)} · ${order.status}`,
          }))}
          failure={orders.error?.message}
          onRetry={() => void orders.refetch()}
        />
      )}
      {keeper && (
        <SearchResults
          title="Medicines"
          component={Link}
          rows={medicines.data?.map(({ _id, medicine, status }) => ({
            key: _id.$oid,
            to: `/dash/medicine?q=${encodeURIComponent(medicine.name)}`,
            name: medicine.name,
            text: `${medicine.manufacturer} · ${status}`,
          }))}
          failure={medicines.error?.message}
          onRetry={() => void medicines.refetch()}
        />
      )}
    </>
  );
}
