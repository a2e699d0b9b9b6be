import type { OrderItem } from '@clinic/svc-pharmacy/contract/order-schemas';
import { unitName } from '../medicines/units.ts';

/** Lines shown at once; an order may have a hundred. */
const shownAtOnce = 4;

/** The ordered medicines, one line each. */
export function OrderItems({ items }: { readonly items: readonly OrderItem[] }) {
  const more = items.slice(shownAtOnce);
  return (
    <div className="min-w-40">
      <Lines items={items.slice(0, shownAtOnce)} />
      {more.length > 0 && (
        <details>
          <summary className="cursor-pointer text-primary">{more.length} more</summary>
          <Lines items={more} />
        </details>
      )}
    </div>
  );
}

function Lines({ items }: { readonly items: readonly OrderItem[] }) {
  return (
    <ul>
      {items.map(({ medicineId, name, quantity, unit }) => (
        <li key={medicineId}>
          <span className="tabular-nums">{quantity}</span> × {name}{' '}
          <span className="text-muted">({unitName(quantity, unit)})</span>
        </li>
      ))}
    </ul>
  );
}
