import { api, ApiProblem, notify, useNavigate } from '@clinic/app-kit';
import { clinicToday } from '@clinic/app-kit/clinic-today';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { Button, Dialog } from '@clinic/ui';
import { useState } from 'react';
import type { Cart } from '../store/cart.ts';
import { useCart } from '../store/cart-store.ts';
import { fillCart, takeOut, type FilledCart } from '../store/fill-cart.ts';
import { orderNumber } from './order-format.ts';

/** Fills the cart from this order with what is available, and says what isn't. */
export function OrderAgainButton({ order }: { readonly order: Order }) {
  const { change } = useCart();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [filled, setFilled] = useState<FilledCart>();
  const showCart = () => navigate('/medicinestore', { state: { showCart: true } });

  async function fill(): Promise<void> {
    setBusy(true);
    try {
      const records = await api.call('listMedicines', {
        query: { medicineIds: order.items.map(({ medicineId }) => medicineId).join(',') },
      });
      let result: FilledCart | undefined;
      let before: Cart = [];
      change((cart) => {
        before = cart;
        result = fillCart(cart, order.items, records, clinicToday());
        return result.cart;
      });
      if (result && result.missing.length > 0) setFilled(result);
      else {
        notify.success(`We’ve added the items of order ${orderNumber(order)} to your cart.`, undefined, {
          label: 'Undo',
          run: () => change((cart) => takeOut(cart, order.items, before)),
        });
        await showCart();
      }
    } catch (error) {
      console.error('The order could not be repeated', error);
      notify.error('We couldn’t fill your cart', error instanceof ApiProblem ? error.message : undefined);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        size="sm"
        variant="soft"
        busy={busy}
        aria-label={`Order again: order ${orderNumber(order)}`}
        onClick={() => void fill()}
      >
        Order again
      </Button>
      {filled && (
        <Dialog
          open
          title={filled.found > 0 ? 'Some items aren’t available' : 'None of these items are available'}
          onClose={() => setFilled(undefined)}
          actions={
            <>
              <Button variant="ghost" onClick={() => setFilled(undefined)}>
                Stay here
              </Button>
              {filled.found > 0 && (
                <Button icon="cart" onClick={() => void showCart()}>
                  Go to the cart
                </Button>
              )}
            </>
          }
        >
          <div className="grid gap-3 text-base-content">
            {filled.found > 0 && <p>The rest are in your cart, at today’s prices.</p>}
            <ul className="grid gap-2">
              {filled.missing.map(({ medicineId, name, reason }) => (
                <li key={medicineId} className="border-s-2 border-line ps-4">
                  <span className="font-medium wrap-anywhere">{name}</span>
                  <span className="block text-sm text-muted">{reason}</span>
                </li>
              ))}
            </ul>
          </div>
        </Dialog>
      )}
    </>
  );
}
