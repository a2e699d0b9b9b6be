import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Button } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';

const WalkInDialog = lazy(async () => ({ default: (await import('./walk-in-dialog.tsx')).WalkInDialog }));

/** Opens the next free time of any doctor. */
export function WalkInButton({ doctors }: { readonly doctors: readonly Doctor[] }) {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const specialties = [...new Set(doctors.map(({ specialty }) => specialty))].toSorted((one, other) =>
    one.localeCompare(other),
  );
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        Walk-in
      </Button>
      {open && (
        <Suspense>
          <WalkInDialog specialties={specialties} onBooked={close} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
