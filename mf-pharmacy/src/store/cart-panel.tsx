import { formatStorePrice, Link, useLocation, useSession } from '@clinic/app-kit';
import { Button, ButtonLink, EmptyState, Spinner } from '@clinic/ui';
import { Fragment, lazy, Suspense, useId, useRef, useState, type Ref } from 'react';
import { distinctNames } from '../medicines/distinct-names.ts';
import { CartLine } from './cart-line.tsx';
import { useCart } from './cart-store.ts';
import { acceptPrices, cartTotalMinor, isInCart, putBack, removeFromCart, type CartItem } from './cart.ts';
import { LateOrderForm } from './late-order-form.tsx';
import type { OrderOutcome } from './use-place-order.tsx';

export interface CartPanelProps {
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
}

/** Few visits need it. */
const PriceChanges = lazy(async () => ({ default: (await import('./price-changes.tsx')).PriceChanges }));

/** The pressed button is gone: the focus stays in the cart, and screen readers announce what happened. */
const takeFocus = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true });

/** The cart's content, its total, and the order form. */
export function CartPanel({ today }: CartPanelProps) {
  const { cart, change, loading } = useCart();
  const { user } = useSession();
  const [outcome, setOutcome] = useState<OrderOutcome>();
  const priceChangesId = useId();
  const total = useRef<HTMLParagraphElement>(null);
  // Whose cart it was taken from, because the next person at this browser must not see it.
  const [removed, setRemoved] = useState<{ readonly item: CartItem; readonly place: number; readonly of?: string }>();
  const repriced = cart.filter(({ newPriceMinor }) => newPriceMinor !== undefined);

  function accept(): void {
    change((current) => acceptPrices(current, cart));
    setOutcome(undefined);
    // The button disappears with the question, so the focus moves to what was agreed to.
    total.current?.focus();
  }

  function remove(item: CartItem, place: number): void {
    change((current) => removeFromCart(current, item.medicineId));
    setRemoved({ item, place, of: user?.email });
  }

  const undo = removed && removed.of === user?.email && !outcome?.order && !isInCart(cart, removed.item.medicineId) && (
    <RemovedLine
      key={removed.item.medicineId}
      item={removed.item}
      onUndo={() => {
        change((current) => putBack(current, removed.item, removed.place));
        setRemoved(undefined);
      }}
    />
  );

  const order = user ? (
    <LateOrderForm
      email={user.email}
      waitsFor={repriced.length > 0 ? priceChangesId : undefined}
      failure={outcome?.order ? undefined : outcome?.text}
      onOutcome={setOutcome}
    />
  ) : loading ? (
    <Spinner />
  ) : (
    <LoginToOrder />
  );

  if (cart.length === 0) {
    if (loading) return <Spinner />;
    if (outcome?.order) return outcome.order;
    return (
      <div className="flex flex-col gap-5 text-base-content">
        {undo}
        <EmptyState icon="cart" title="Your cart is empty" text="Add a medicine to start your order." />
        {order}
      </div>
    );
  }
  const labels = distinctNames(cart);
  return (
    <div className="flex flex-col gap-5 text-base-content">
      <ul className="flex flex-col divide-y divide-line" aria-label="Items in the cart">
        {cart.map((item, place) => (
          <Fragment key={item.medicineId}>
            {undo && removed.place === place && <li>{undo}</li>}
            <CartLine
              item={item}
              label={labels.get(item.medicineId) ?? item.name}
              change={change}
              onRemove={() => remove(item, place)}
              today={today}
              shortage={outcome?.lines.find(({ medicineId }) => medicineId === item.medicineId)}
            />
          </Fragment>
        ))}
        {undo && removed.place >= cart.length && <li>{undo}</li>}
      </ul>
      <Total ref={total} minor={cartTotalMinor(cart)} />
      {repriced.length > 0 && (
        <Suspense>
          <PriceChanges id={priceChangesId} items={repriced} totalMinor={cartTotalMinor(cart)} onAccept={accept} />
        </Suspense>
      )}
      {order}
    </div>
  );
}

function Total({ minor, ref }: { readonly minor: number; readonly ref: Ref<HTMLParagraphElement> }) {
  return (
    <p
      ref={ref}
      tabIndex={-1}
      className="flex items-baseline justify-between border-t border-line pt-4 text-lg font-semibold"
    >
      <span>Total</span> <output className="tabular-nums">{formatStorePrice(minor)}</output>
    </p>
  );
}

function RemovedLine({ item, onUndo }: { readonly item: CartItem; readonly onUndo: () => void }) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-2 py-2 text-sm">
      <span id={id} className="min-w-0 wrap-break-word">
        {item.name} is removed.
      </span>
      <Button
        variant="link"
        size="sm"
        ref={takeFocus}
        aria-label={`Undo: put ${item.name} back`}
        aria-describedby={id}
        onClick={onUndo}
      >
        Undo
      </Button>
    </div>
  );
}

/** The cart stays in the browser meanwhile, and the login returns here. */
function LoginToOrder() {
  const { pathname, search } = useLocation();
  return (
    <ButtonLink
      component={Link}
      to="/login"
      state={{ from: `${pathname}${search}` }}
      block
      className="h-auto min-h-11 py-2 whitespace-normal"
    >
      Login Please To Order Medicine
    </ButtonLink>
  );
}
