import { Button } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';

// Few visits to the list are for this.
const SubscriptionDialog = lazy(async () => ({
  default: (await import('./subscription-dialog.tsx')).SubscriptionDialog,
}));

/** Opens the calendar subscription of the signed-in person. */
export function SubscriptionButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" icon="calendar" onClick={() => setOpen(true)}>
        Calendar subscription
      </Button>
      {open && (
        <Suspense>
          <SubscriptionDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
