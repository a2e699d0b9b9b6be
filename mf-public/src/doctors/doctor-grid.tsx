import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { CardSkeleton, Skeleton } from '@clinic/ui';
import { DoctorCard } from './doctor-card.tsx';

const grid = 'grid gap-5 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))]';

export function DoctorGrid({ doctors }: { readonly doctors: readonly Doctor[] }) {
  return (
    <ul className={grid}>
      {doctors.map((doctor) => (
        <li key={doctor._id} className="grid">
          <DoctorCard doctor={doctor} />
        </li>
      ))}
    </ul>
  );
}

/** Placeholders for doctors. @param count - number of cards */
export function DoctorGridLoading({ count }: { readonly count: number }) {
  return (
    <>
      <output className="mb-4 block font-medium text-muted">Loading...</output>
      <div className={grid} aria-hidden="true">
        {Array.from({ length: count }, (_, place) => (
          <DoctorCardSkeleton key={place} />
        ))}
      </div>
    </>
  );
}

/** As high as a doctor's card, so that the page below doesn't jump. */
function DoctorCardSkeleton() {
  return (
    <CardSkeleton className="min-h-[30.5rem] p-5!">
      <div className="flex items-center gap-4">
        <Skeleton className="size-24 flex-none rounded-2xl sm:size-28" />
        <Skeleton className="h-6 grow" />
      </div>
    </CardSkeleton>
  );
}
