import { formatStorePrice, Link, useLocation, useSession } from '@clinic/app-kit';
import { Alert, ButtonLink, EmptyState, Spinner } from '@clinic/ui';
import { useState } from 'react';
import { CartLine } from './cart-line.tsx';
import { useCart } from './cart-store.ts';
import { cartTotalMinor } from './cart.ts';
import { OrderForm } from './order-form.tsx';
import type { OrderOutcome } from './use-place-order.ts';

export interface CartPanelProps {
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
}

/** What is in the cart, what it comes to, and the way to order it. */
export function CartPanel({ today }: CartPanelProps) {
  const cart = useCart();
  const { user, loading } = useSession();
  const [outcome, setOutcome] = useState<OrderOutcome>();

  if (cart.length === 0) {
    if (outcome?.ordered) return <Ordered text={outcome.text} />;
    return <EmptyState icon="cart" title="Your cart is empty" text="Add a medicine from the shelves." />;
  }
  return (
    <div className="flex flex-col gap-5 text-base-content">
      <ul className="flex flex-col divide-y divide-line" aria-label="Items in the cart">
        {cart.map((item) => <CartLine key={item.medicineId} item={item} today={today} shortage={outcome?.lines.find(({ medicineId }) => medicineId === item.medicineId)} />)}
      </ul>
      <p className="flex items-baseline justify-between border-t border-line pt-4 text-lg font-semibold">
        <span>Total</span> <output className="tabular-nums">{formatStorePrice(cartTotalMinor(cart))}</output>
      </p>
      {user ? <OrderForm email={user.email} failure={outcome?.ordered ? undefined : outcome?.text} onOutcome={setOutcome} /> : loading ? <Spinner /> : <LoginToOrder />}
    </div>
  );
}

function Ordered({ text }: { readonly text: string }) {
  return (
    <Alert kind="success" title="order created">
      {text}{' '}
      <Link to="/dash/myorders" className="font-medium underline underline-offset-4">See My Orders</Link>
    </Alert>
  );
}

/** The cart stays in the browser meanwhile, and the login leads back here. */
function LoginToOrder() {
  const { pathname, search } = useLocation();
  return <ButtonLink component={Link} to="/login" state={{ from: `${pathname}${search}` }} block className="h-auto min-h-11 py-2 whitespace-normal">Login Please To Order Medicine</ButtonLink>;
}
