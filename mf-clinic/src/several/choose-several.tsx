import { useSession } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Button } from '@clinic/ui';
import { createContext, use, useState, type ReactNode } from 'react';
import { canDecide } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { Choice } from '../choice.tsx';
import { SeveralDialog } from './several-dialog.tsx';
import { count } from './use-one-by-one.ts';

interface Choosing {
  readonly has: (appointment: Appointment) => boolean;
  readonly choose: (those: readonly Appointment[], chosen: boolean) => void;
}

const ChoosingContext = createContext<Choosing | undefined>(undefined);

interface ChooseSeveralProps {
  /** The page of the list on screen; what is chosen on others stays. */
  readonly rows: readonly Appointment[];
  readonly children: ReactNode;
}

/** Above a list: chooses rows, with a box in each, to confirm or cancel them at once. */
export function ChooseSeveral({ rows, children }: ChooseSeveralProps) {
  const session = useSession();
  const now = useClinicNow();
  const [choosing, setChoosing] = useState(false);
  const [open, setOpen] = useState(false);
  const [picked, setPicked] = useState<ReadonlyMap<string, Appointment>>(new Map());
  const byId = new Map(rows.map((one) => [one._id, one]));
  // As the list has them now.
  const chosen = [...picked.values()]
    .map((one) => byId.get(one._id) ?? one)
    .filter((one) => canDecide(one, session, now));
  const onPage = rows.filter((one) => canDecide(one, session, now));
  const has = ({ _id }: Appointment): boolean => picked.has(_id);
  const all = onPage.length > 0 && onPage.every(has);
  const choose: Choosing['choose'] = (those, isChosen) => {
    const next = new Map(picked);
    for (const one of those) {
      if (isChosen) next.set(one._id, one);
      else next.delete(one._id);
    }
    setPicked(next);
  };
  const stop = (): void => {
    setOpen(false);
    setChoosing(false);
    setPicked(new Map());
  };
  return (
    <ChoosingContext value={choosing ? { has, choose } : undefined}>
      <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
        {choosing ? (
          <>
            <Choice type="checkbox" label="All on this page" checked={all} onChange={() => choose(onPage, !all)} />
            <Button size="sm" variant="ghost" onClick={stop}>
              Stop choosing
            </Button>
          </>
        ) : (
          onPage.length > 0 && (
            <Button size="sm" variant="secondary" onClick={() => setChoosing(true)}>
              Several at once …
            </Button>
          )
        )}
      </div>
      {children}
      {choosing && (
        // In reach from every row.
        <div className="sticky bottom-(--ui-notified,0px) z-10 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-base-100 px-4 py-2 print:hidden">
          <output className="grow text-sm text-muted">{count(chosen.length)} chosen</output>
          <Button size="sm" aria-disabled={chosen.length === 0} onClick={() => chosen.length > 0 && setOpen(true)}>
            Confirm or cancel …
          </Button>
        </div>
      )}
      {open && <SeveralDialog appointments={chosen} onClose={stop} />}
    </ChoosingContext>
  );
}

interface ChoosableProps {
  readonly appointment: Appointment;
  readonly children: ReactNode;
}

/** The head of a row, with a box while rows are chosen. */
export function Choosable({ appointment, children }: ChoosableProps) {
  const choosing = use(ChoosingContext);
  const session = useSession();
  const now = useClinicNow();
  if (!choosing) return children;
  return (
    <span className="flex items-center gap-2">
      <label className="-ms-2 grid size-11 flex-none place-items-center">
        {canDecide(appointment, session, now) && (
          <input
            type="checkbox"
            className="size-5 scroll-mb-24 accent-primary"
            aria-label={`Choose: ${nameOfAppointment(appointment)}`}
            checked={choosing.has(appointment)}
            onChange={({ target }) => choosing.choose([appointment], target.checked)}
          />
        )}
      </label>
      <span className="min-w-0">{children}</span>
    </span>
  );
}
