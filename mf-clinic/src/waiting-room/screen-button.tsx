import { useSession } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';

const ScreenDialog = lazy(async () => ({ default: (await import('./screen-dialog.tsx')).ScreenDialog }));

/** Opens the address of the waiting-room screen, which only admins make. */
export function ScreenButton() {
  const [open, setOpen] = useState(false);
  if (useSession().role !== 'admin') return null;
  return (
    <>
      <Button variant="ghost" icon="eye" onClick={() => setOpen(true)}>
        Waiting-room screen
      </Button>
      {open && (
        <Suspense>
          <ScreenDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
