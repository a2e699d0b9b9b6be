import { notify } from '@clinic/app-kit';
import { type PagedCall } from '@clinic/app-kit/records';
import { Button, EmptyState, ErrorState, Pagination, Skeleton } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';
import { distinctNames } from '../medicines/distinct-names.ts';
import type { Medicine } from '../medicines/medicine.ts';
import { addToCart, isInCart } from './cart.ts';
import { useCart } from './cart-store.ts';
import { MedicineCard } from './medicine-card.tsx';

// Few visitors open it.
const MedicineDetails = lazy(async () => ({ default: (await import('./medicine-details.tsx')).MedicineDetails }));

export interface MedicineGridProps extends Omit<PagedCall<unknown>, 'rows'> {
  readonly medicines: readonly Medicine[];
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  /** The search, by the names of its fields. */
  readonly filters: Readonly<Record<string, string>>;
  /** Clears the search. */
  readonly onClear: () => void;
}

const columns = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3';
const placeholders = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The medicines of one page as cards, with loading, error and empty states. */
export function MedicineGrid({
  medicines,
  today,
  filters,
  onClear,
  loading,
  refreshing,
  error,
  retry,
  total,
  ...pages
}: MedicineGridProps) {
  const { cart, change } = useCart();
  // Sighted users see the cart grow; a notification would cover it on a phone.
  const [added, setAdded] = useState('');
  const [opened, setOpened] = useState<Medicine>();
  const shown = medicines.find(({ id }) => id === opened?.id) ?? opened;

  function add(medicine: Medicine): void {
    if (isInCart(cart, medicine.medicineId)) {
      notify.info('Item is already in the cart!');
      return;
    }
    change((before) => addToCart(before, medicine));
    setAdded(medicine.name);
  }

  if (error) return <ErrorState title="Error loading medicines" text={error.message} onRetry={retry} />;
  if (loading) return <LoadingGrid />;
  if (medicines.length === 0)
    return (
      <NoMedicines
        searched={Object.values(filters).find((value) => value !== '') ?? ''}
        onClear={onClear}
        onRetry={retry}
      />
    );
  const labels = distinctNames(medicines);
  return (
    <div aria-busy={refreshing} className={refreshing ? 'opacity-60' : undefined}>
      <output className="sr-only">
        {total === undefined ? 'Many' : total} {total === 1 ? 'medicine' : 'medicines'}
      </output>
      <output className="sr-only">{added && `${added} is in the cart.`}</output>
      <ul className={columns} aria-label="Medicines">
        {medicines.map((medicine) => (
          <MedicineCard
            key={medicine.id}
            medicine={medicine}
            label={labels.get(medicine.medicineId) ?? medicine.name}
            today={today}
            inCart={isInCart(cart, medicine.medicineId)}
            onAdd={() => add(medicine)}
            onDetails={() => setOpened(medicine)}
          />
        ))}
      </ul>
      {shown && (
        <Suspense>
          <MedicineDetails
            medicine={shown}
            today={today}
            inCart={isInCart(cart, shown.medicineId)}
            onAdd={() => add(shown)}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
      <Pages {...pages} filters={filters} count={medicines.length} total={total} busy={refreshing} />
    </div>
  );
}

interface PagesProps extends Pick<
  MedicineGridProps,
  'filters' | 'total' | 'from' | 'hasPrevious' | 'hasNext' | 'previous' | 'next' | 'after'
> {
  readonly count: number;
  readonly busy: boolean;
}

/** Without scripts its form opens the other pages. */
function Pages({ filters, previous, next, after = '', ...pages }: PagesProps) {
  return (
    <form action="/medicinestore" onSubmit={(event) => event.preventDefault()}>
      {Object.entries(filters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Pagination {...pages} label="Pages of medicines" sends={after} onPrevious={previous} onNext={next} />
    </form>
  );
}

function LoadingGrid() {
  return (
    <div aria-busy="true">
      <output className="mb-3 block font-medium text-muted">Loading...</output>
      <div className={columns}>
        {placeholders.map((place) => (
          <Skeleton key={place} className="h-56 w-full" />
        ))}
      </div>
    </div>
  );
}

interface NoMedicinesProps extends Pick<MedicineGridProps, 'onClear'> {
  /** What was searched for, in words; empty: nothing. */
  readonly searched: string;
  readonly onRetry: () => void;
}

function NoMedicines({ searched, onClear, onRetry }: NoMedicinesProps) {
  return searched ? (
    <EmptyState
      title={`We couldn’t find “${searched}”`}
      text="Check the spelling, or search for a part of the name."
      action={
        <form
          action="/medicinestore"
          onSubmit={(event) => {
            event.preventDefault();
            onClear();
          }}
        >
          <Button type="submit" variant="soft">
            Show all medicines
          </Button>
        </form>
      }
    />
  ) : (
    <EmptyState
      icon="pill"
      title="There are no medicines right now"
      text="Check again later."
      action={
        <Button variant="soft" icon="refresh" onClick={onRetry}>
          Check again
        </Button>
      }
    />
  );
}
