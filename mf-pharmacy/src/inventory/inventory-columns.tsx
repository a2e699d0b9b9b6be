import { formatShortDate, formatStorePrice } from '@clinic/app-kit';
import { StatusBadge } from '@clinic/ui';
import type { Column } from '@clinic/ui/tables';
import { unitName } from '../medicines/units.ts';
import { expiresSoon, statusInWords, isExpired, type Medicine } from '../medicines/medicine.ts';

/** The inventory's columns. @param today - the clinic's date, 'yyyy-mm-dd' */
export function medicineColumns(today: string): Column<Medicine>[] {
  return [
    {
      key: 'name',
      header: 'Medicine',
      primary: true,
      cell: ({ name, manufacturer, medicineId, prescriptionOnly }) => (
        <>
          <span className="block max-w-60 min-w-32 wrap-break-word">{name}</span>
          <span className="block text-sm font-normal text-muted">
            {medicineId}
            {manufacturer && ` · ${manufacturer}`}
          </span>
          {prescriptionOnly && <span className="block text-sm font-normal text-muted">Prescription only</span>}
        </>
      ),
    },
    {
      key: 'quantity',
      header: 'Quantity',
      align: 'end',
      cell: ({ quantity, unit }) => (
        <span className="xl:whitespace-nowrap">
          {quantity.toLocaleString('en')} <span className="text-muted">{unitName(quantity, unit)}</span>
        </span>
      ),
    },
    {
      key: 'price',
      header: 'Price',
      align: 'end',
      foldInto: 'quantity',
      cell: ({ priceMinor }) => formatStorePrice(priceMinor),
    },
    {
      key: 'expiry',
      header: 'Expiry',
      cell: (medicine) => (
        <span className="xl:whitespace-nowrap">
          {formatShortDate(medicine.expiryDate)}
          {isExpired(medicine, today) && <span className="ui-error block">Expired</span>}
          {expiresSoon(medicine, today) && (
            <span className="block font-medium text-warning-content dark:text-warning">Expires soon</span>
          )}
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: (medicine) => <StatusBadge status={statusInWords(medicine, today)} />,
    },
  ];
}
