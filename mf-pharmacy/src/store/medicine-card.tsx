import { formatShortDate, formatStorePrice, useSession } from '@clinic/app-kit';
import { Slot } from '@clinic/app-kit/slots';
import { Button, Card, StatusBadge } from '@clinic/ui';
import { amountOf } from '../medicines/units.ts';
import { AddButton } from './add-button.tsx';
import { isExpired, needsPrescription, statusInWords, whyNotSellable, type Medicine } from '../medicines/medicine.ts';

export interface MedicineCardProps {
  readonly medicine: Medicine;
  /** Its name, told apart from others on the page. */
  readonly label: string;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  readonly inCart: boolean;
  readonly onAdd: () => void;
  readonly onDetails: () => void;
}

/** One medicine in the catalogue. Only those in or low in stock, and not expired, can be added. */
export function MedicineCard({ medicine, label, today, inCart, onAdd, onDetails }: MedicineCardProps) {
  const { id, name, manufacturer, unit, expiryDate, priceMinor, quantity, status, category } = medicine;
  const obstacle = whyNotSellable(medicine, today);
  const left = !obstacle && status === 'low stock' && `Only ${amountOf(quantity, unit)} left`;
  const note = obstacle === needsPrescription ? obstacle : left;
  const { user } = useSession();
  return (
    <Card as="li" className="flex h-full flex-col gap-4">
      <div>
        <StatusBadge status={statusInWords(medicine, today)} />
        <h2 className="mt-3 text-base font-semibold wrap-break-word">{name}</h2>
        <p className="text-sm text-muted">{manufacturer}</p>
        {category && <p className="text-sm text-muted">{category}</p>}
        <p className="text-sm text-muted">
          {isExpired(medicine, today) ? 'Expired' : 'Expires'} {formatShortDate(expiryDate)}
        </p>
        {note && <p className="text-sm font-medium">{note}</p>}
        <Button
          variant="link"
          size="sm"
          className="mt-1 noscript:hidden"
          aria-label={`Details: ${label}`}
          onClick={onDetails}
        >
          Details
        </Button>
      </div>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3">
        <p className="text-lead font-semibold whitespace-nowrap tabular-nums">
          {formatStorePrice(priceMinor)} <span className="text-sm font-normal text-muted">per {unit}</span>
        </p>
        <AddButton small name={label} disabled={obstacle !== undefined} inCart={inCart} onAdd={onAdd} />
        {/* Visitors find it in the details: a first visit loads nothing for it. */}
        {user && (
          <Slot
            name="medicine"
            props={{ id, name, available: obstacle === undefined || medicine.prescriptionOnly === true }}
          />
        )}
      </div>
    </Card>
  );
}
