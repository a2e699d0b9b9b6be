import { formatShortDate, formatStorePrice } from '@clinic/app-kit';
import { Slot } from '@clinic/app-kit/slots';
import { Button, Dialog, StatusBadge } from '@clinic/ui';
import { Details } from '@clinic/ui/tables';
import { AddButton } from './add-button.tsx';
import { isExpired, needsPrescription, statusInWords, whyNotSellable, type Medicine } from '../medicines/medicine.ts';
import { amountOf } from '../medicines/units.ts';

interface MedicineDetailsProps {
  readonly medicine: Medicine;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  readonly inCart: boolean;
  readonly onAdd: () => void;
  readonly onClose: () => void;
}

/** Everything the pharmacy knows about a medicine. */
export function MedicineDetails({ medicine, today, inCart, onAdd, onClose }: MedicineDetailsProps) {
  const { id, medicineId, name, manufacturer, category, unit, quantity, priceMinor, expiryDate, customerLimit } =
    medicine;
  const obstacle = whyNotSellable(medicine, today);
  return (
    <Dialog
      open
      title={name}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          <AddButton name={name} disabled={obstacle !== undefined} inCart={inCart} onAdd={onAdd} />
        </>
      }
    >
      <p className="mb-4">
        <StatusBadge status={statusInWords(medicine, today)} />
      </p>
      {obstacle === needsPrescription && <p className="mb-4 font-medium">{needsPrescription}</p>}
      <Details
        items={[
          ['Price', `${formatStorePrice(priceMinor)} per ${unit}`],
          ...(category ? [['Category', category] as const] : []),
          ...(manufacturer ? [['Manufacturer', manufacturer] as const] : []),
          ...(obstacle === 'Expired' ? [] : [['In stock', amountOf(quantity, unit)] as const]),
          ...(customerLimit === undefined ? [] : [['Most per order', amountOf(customerLimit, unit)] as const]),
          [isExpired(medicine, today) ? 'Expired' : 'Expires', formatShortDate(expiryDate)],
          ['Number', medicineId],
        ]}
      />
      <div className="mt-4 empty:hidden">
        <Slot
          name="medicine"
          props={{ id, name, available: obstacle === undefined || medicine.prescriptionOnly === true }}
        />
      </div>
      <p className="mt-4 text-sm text-muted">
        Read the leaflet before you take it. If you are unsure, ask our pharmacists or your doctor.
      </p>
    </Dialog>
  );
}
