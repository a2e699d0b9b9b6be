import { formatStorePrice } from '@clinic/app-kit';
import type { StockShortage } from '@clinic/svc-pharmacy/contract/problems';
import { Button, Icon } from '@clinic/ui';
import { useState } from 'react';
import { isExpired, needsPrescription } from '../medicines/medicine.ts';
import { amountOf } from '../medicines/units.ts';
import { mostOf, priceNow, setQuantity, type CartItem } from './cart.ts';
import type { OwnCart } from './cart-store.ts';

export interface CartLineProps {
  readonly item: CartItem;
  /** Its name, told apart from others in the cart. */
  readonly label: string;
  readonly change: OwnCart['change'];
  readonly onRemove: () => void;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  /** The server's error for this line, if the order failed. */
  readonly shortage: StockShortage | undefined;
}

/** One medicine in the cart: quantity, price, and any problem. */
export function CartLine({ item, label, change, onRemove, today, shortage }: CartLineProps) {
  const { medicineId, name, unit, priceMinor, newPriceMinor, quantity, stock } = item;
  const set = (next: number) => change((cart) => setQuantity(cart, medicineId, next));
  const problem = problemOf(item, today, shortage);
  const most = allowedOf(item, shortage);
  const noteId = `cart-note-${medicineId}`;
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium wrap-break-word">{name}</p>
          <p className="text-sm text-muted">
            {newPriceMinor !== undefined && (
              <>
                <s>
                  <span className="sr-only">Old price </span>
                  {formatStorePrice(priceMinor)}
                </s>{' '}
              </>
            )}
            {formatStorePrice(priceNow(item))} per {unit}
          </p>
        </div>
        <Button
          variant="ghost"
          size="sm"
          icon="trash"
          className="btn-square"
          aria-label={`Remove ${label} from the cart`}
          title="Remove"
          onClick={onRemove}
        />
      </div>
      <div className="flex items-center justify-between gap-3">
        <fieldset className="flex items-center gap-1">
          <legend className="sr-only">Quantity of {label}</legend>
          <Stepper
            icon="minus"
            label={`One ${label} less`}
            disabled={quantity <= 1}
            describedBy={noteId}
            onClick={() => set(quantity - 1)}
          />
          <QuantityField name={label} quantity={quantity} describedBy={noteId} onQuantity={set} />
          <Stepper
            icon="plus"
            label={`One ${label} more`}
            disabled={quantity >= most}
            describedBy={noteId}
            onClick={() => set(quantity + 1)}
          />
        </fieldset>
        <p className="font-semibold tabular-nums">{formatStorePrice(priceNow(item) * quantity)}</p>
      </div>
      <output id={noteId} className="text-sm empty:hidden">
        {problem ? (
          <span className="ui-error flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="inline-flex items-center gap-1.5">
              <Icon name="alert-circle" size={16} /> {problem}
            </span>
            {most > 0 && quantity > most && (
              <Button variant="link" size="sm" onClick={() => set(most)}>
                Order {most} instead
              </Button>
            )}
          </span>
        ) : (
          quantity === most && (
            <span className="text-muted">
              {most === stock
                ? `We only have ${amountOf(stock, unit)} left.`
                : `${amountOf(most, unit)} is the most you can order at a time.`}
            </span>
          )
        )}
      </output>
    </li>
  );
}

interface QuantityFieldProps {
  readonly name: string;
  readonly quantity: number;
  /** Id of the note about the limit. */
  readonly describedBy: string;
  readonly onQuantity: (quantity: number) => void;
}

/** The quantity as typed; what isn't a number from 1 on is put back when the field is left. */
function QuantityField({ name, quantity, describedBy, onQuantity }: QuantityFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="text"
      inputMode="numeric"
      className="input ui-control h-9 w-16 px-1 text-center font-semibold tabular-nums"
      aria-label={`Quantity of ${name}`}
      aria-describedby={describedBy}
      value={typed ?? String(quantity)}
      onFocus={(event) => event.target.select()}
      onChange={({ target }) => {
        const digits = target.value.replaceAll(/\D/g, '').slice(0, 6);
        setTyped(digits);
        if (Number(digits) >= 1) onQuantity(Number(digits));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

interface StepperProps {
  readonly icon: 'plus' | 'minus';
  readonly label: string;
  readonly disabled: boolean;
  /** Id of the text with the reason. */
  readonly describedBy: string;
  readonly onClick: () => void;
}

function Stepper({ icon, label, disabled, describedBy, onClick }: StepperProps) {
  // aria-disabled keeps the focus at the limit, where a note explains it.
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={icon}
      className="btn-square"
      aria-label={label}
      aria-disabled={disabled || undefined}
      aria-describedby={disabled ? describedBy : undefined}
      onClick={disabled ? undefined : onClick}
    />
  );
}

/** Units this customer can order: the server also counts what they already have on order. */
function allowedOf(item: CartItem, shortage: StockShortage | undefined): number {
  return shortage?.reason === 'limit' ? Math.min(mostOf(item), shortage.available) : mostOf(item);
}

/** Why this line can't be ordered as it is; lowering the quantity resolves it. */
function problemOf(item: CartItem, today: string, shortage: StockShortage | undefined): string | undefined {
  if (item.prescriptionOnly || shortage?.reason === 'prescription') return `${needsPrescription}. Remove it to order.`;
  if (shortage?.reason === 'unknown') return 'We no longer have this medicine. Remove it to order.';
  if (shortage?.reason === 'expired' || isExpired(item, today)) return 'Expired. Remove it to order.';
  if (item.stock === 0) return 'Out of stock. Remove it to order.';
  if (item.quantity > item.stock) return `Only ${amountOf(item.stock, item.unit)} left.`;
  const most = allowedOf(item, shortage);
  if (most === 0) return 'You already have the most you can have on order. Remove it to order.';
  if (item.quantity > most) return `You can order at most ${amountOf(most, item.unit)} at a time.`;
  return undefined;
}
