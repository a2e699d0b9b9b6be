import type { Doctor } from '@clinic/contracts';
import { Skeleton } from '@clinic/ui';
import { DoctorCard } from './doctor-card.tsx';

const grid = 'grid gap-5 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))]';

export function DoctorGrid({ doctors, headingLevel }: { readonly doctors: readonly Doctor[]; readonly headingLevel?: 'h2' | 'h3' }) {
  return <ul className={grid}>{doctors.map((doctor) => <li key={doctor._id} className="grid"><DoctorCard doctor={doctor} headingLevel={headingLevel} /></li>)}</ul>;
}

/** Where doctors will be. @param count - cards to keep the room for */
export function DoctorGridLoading({ count }: { readonly count: number }) {
  return (
    <>
      <output className="mb-4 block font-medium text-muted">Loading...</output>
      <div className={grid} aria-hidden="true">{Array.from({ length: count }, (_, place) => <Skeleton key={place} className="h-[30rem] rounded-card" />)}</div>
    </>
  );
}
