import { formatStorePrice } from '@clinic/app-kit';
import { Alert, Button } from '@clinic/ui';
import { priceNow, type Cart } from './cart.ts';

export interface PriceChangesProps {
  readonly id: string;
  /** Items with a new price. */
  readonly items: Cart;
  /** The cart's total at current prices, minor currency units. */
  readonly totalMinor: number;
  readonly onAccept: () => void;
}

/** Shows which prices have changed since the customer saw them, and asks before anything is ordered at the new ones. */
export function PriceChanges({ id, items, totalMinor, onAccept }: PriceChangesProps) {
  return (
    <div id={id} tabIndex={-1}>
      <Alert kind="warning" title={items.length === 1 ? 'A price has changed' : 'Prices have changed'}>
        <ul className="my-1 list-disc ps-5">
          {items.map((item) => (
            <li key={item.medicineId} className="wrap-anywhere">
              {item.name}: was {formatStorePrice(item.priceMinor)}, now {formatStorePrice(priceNow(item))} per{' '}
              {item.unit}
            </li>
          ))}
        </ul>
        <p>The total is now {formatStorePrice(totalMinor)}.</p>
        <Button size="sm" variant="secondary" className="mt-2" onClick={onAccept}>
          {items.length === 1 ? 'Accept the new price' : 'Accept the new prices'}
        </Button>
      </Alert>
    </div>
  );
}
