import { formatStorePrice, Link, useLocation, useSession } from '@clinic/app-kit';
import { Alert, ButtonLink, EmptyState, Spinner } from '@clinic/ui';
import { useId, useRef, useState } from 'react';
import { CartLine } from './cart-line.tsx';
import { useCart } from './cart-store.ts';
import { acceptPrices, cartTotalMinor } from './cart.ts';
import { LateOrderForm } from './late-order-form.tsx';
import { PriceChanges } from './price-changes.tsx';
import type { OrderOutcome, PlacedOrder } from './use-place-order.ts';

export interface CartPanelProps {
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
}

/** The cart's content, its total, and the order form. */
export function CartPanel({ today }: CartPanelProps) {
  const { cart, change, loading } = useCart();
  const { user } = useSession();
  const [outcome, setOutcome] = useState<OrderOutcome>();
  const priceChangesId = useId();
  const total = useRef<HTMLParagraphElement>(null);
  const repriced = cart.filter(({ newPriceMinor }) => newPriceMinor !== undefined);

  function accept(): void {
    change((current) => acceptPrices(current, cart));
    setOutcome(undefined);
    // The button disappears with the question, so the focus moves to what was agreed to.
    total.current?.focus();
  }

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
    if (outcome?.order) return <Ordered order={outcome.order} />;
    return (
      <div className="flex flex-col gap-5 text-base-content">
        <EmptyState icon="cart" title="Your cart is empty" text="Add a medicine to start your order." />
        {order}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5 text-base-content">
      <ul className="flex flex-col divide-y divide-line" aria-label="Items in the cart">
        {cart.map((item) => (
          <CartLine
            key={item.medicineId}
            item={item}
            change={change}
            today={today}
            shortage={outcome?.lines.find(({ medicineId }) => medicineId === item.medicineId)}
          />
        ))}
      </ul>
      <p
        ref={total}
        tabIndex={-1}
        className="flex items-baseline justify-between border-t border-line pt-4 text-lg font-semibold"
      >
        <span>Total</span> <output className="tabular-nums">{formatStorePrice(cartTotalMinor(cart))}</output>
      </p>
      {repriced.length > 0 && (
        <PriceChanges id={priceChangesId} items={repriced} totalMinor={cartTotalMinor(cart)} onAccept={accept} />
      )}
      {order}
    </div>
  );
}

/** What the customer needs after ordering: the number, what happens next, and how it is paid. */
function Ordered({ order: { number, address, totalMinor } }: { readonly order: PlacedOrder }) {
  return (
    <Alert kind="success" title="order created">
      <p>
        Your order is <strong className="tabular-nums">{number}</strong>. We’ll deliver to {address}.
      </p>
      <ul className="my-2 list-disc ps-5">
        <li>Our pharmacists pack it next. You can cancel it until they ship it.</li>
        <li>You pay {formatStorePrice(totalMinor)} in cash when we deliver. Nothing is charged online.</li>
      </ul>
      <Link to="/dash/myorders" className="font-medium underline underline-offset-4">
        See My Orders
      </Link>
    </Alert>
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
