import { definePage, formatStorePrice, useLocation } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { useListState, usePagedCall } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { medicineCategories } from '@clinic/svc-pharmacy/contract/limits';
import { Button, Dialog, FilterBar, PageHeader, SearchField, SelectField, useMedia } from '@clinic/ui';
import { useState } from 'react';
import { useTwoSigns } from '../two-signs.ts';
import { readMedicine } from '../medicines/medicine.ts';
import { CartPanel } from './cart-panel.tsx';
import { useCart, visitorsCart } from './cart-store.ts';
import { cartTotalMinor } from './cart.ts';
import { MedicineGrid } from './medicine-grid.tsx';
import { useFreshCart } from './use-fresh-cart.ts';
import { useFreshCatalogue } from './use-fresh-catalogue.ts';
import { useProductFacts } from './use-product-facts.ts';
import '../setup.ts';

const medicinesPerPage = 24;

/** Pharmacy (`/medicinestore`): browse and search medicines, fill the cart, order. */
export function StorePage() {
  const list = useListState();
  const category = medicineCategories.find((one) => one === list.get('category'));
  const medicines = usePagedCall('listMedicines', { q: list.q, category }, { limit: medicinesPerPage });
  const today = useClinicToday();
  const { rows } = medicines;
  useFreshCatalogue();
  useFreshCart(rows);
  useProductFacts(rows, today);
  const narrow = useMedia('(width < 64rem)');

  return (
    <div className="mx-auto w-full max-w-page px-4 py-8 sm:px-6 lg:py-12">
      <PageHeader
        title="Pharmacy"
        description={`Search for medicines and add them to your cart. We’ll deliver them to your door.${useTwoSigns()}`}
      />
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-8">
        <section aria-label="Medicines" className="min-w-0">
          {/* Without scripts it is sent by its button. */}
          <form action="/medicinestore" onSubmit={(event) => event.preventDefault()}>
            <FilterBar label="Search the pharmacy">
              <SearchField
                label="Search medicines by name"
                placeholder="Search by medicine name"
                value={list.text}
                onChange={list.setText}
              />
              <SelectField
                label="Category"
                name="category"
                hideLabel
                options={[{ value: '', label: 'All categories' }, ...medicineCategories]}
                value={category ?? ''}
                onChange={(event) => list.set('category', event.target.value)}
              />
              <Button type="submit" className="hidden self-end noscript:inline-flex">
                Search
              </Button>
            </FilterBar>
          </form>
          <MedicineGrid
            {...medicines}
            medicines={rows.map(readMedicine)}
            today={today}
            filters={{ q: list.q, category: category ?? '' }}
            onClear={list.clear}
          />
        </section>
        {/* HTML of this page can't have what this browser keeps: the shell then starts at once. */}
        <div className="contents noscript:hidden" data-stored={visitorsCart}>
          {narrow ? <CartSheet today={today} /> : <CartAside today={today} />}
        </div>
      </div>
    </div>
  );
}

/** The cart beside the catalogue, always visible on wide screens. */
function CartAside({ today }: { readonly today: string }) {
  const { cart } = useCart();
  return (
    <aside
      aria-labelledby="cart-title"
      className="sticky top-24 max-h-[calc(100dvh-7rem-var(--ui-notified,0px))] overflow-y-auto rounded-card border border-line bg-base-100 p-5 shadow-card"
    >
      {/* A new text for each number: a browser's translation would keep the old one. */}
      <h2 key={cart.length} id="cart-title" className="mb-4 text-heading font-semibold">
        {`Cart (${cart.length})`}
      </h2>
      <CartPanel today={today} />
    </aside>
  );
}

/** On narrow screens the cart is at the foot of the page and opens as a dialog. */
function CartSheet({ today }: { readonly today: string }) {
  const { cart } = useCart();
  // People who come from an earlier order want to see what was added to the cart.
  const requested = (useLocation().state as { readonly showCart?: boolean } | null)?.showCart ?? false;
  const [open, setOpen] = useState(requested);
  const title = `Cart (${cart.length})`;
  const total = formatStorePrice(cartTotalMinor(cart));
  return (
    <>
      {/* Above the notifications at the lower edge, which would cover it. */}
      <div className="sticky bottom-[calc(0.75rem+var(--ui-notified,0px))] z-10 mt-6">
        <Button
          block
          size="lg"
          icon="cart"
          aria-haspopup="dialog"
          className="shadow-lg [&>.ui-words]:flex [&>.ui-words]:grow [&>.ui-words]:justify-between [&>.ui-words]:gap-3"
          onClick={() => setOpen(true)}
        >
          {/* The space is for what reads the words without their layout. */}
          <span key={title}>{title}</span> {cart.length > 0 && <span key={total}>{total}</span>}
        </Button>
      </div>
      <Dialog open={open} title={title} onClose={() => setOpen(false)}>
        <CartPanel today={today} />
      </Dialog>
    </>
  );
}

export default definePage(withSlots(StorePage));
