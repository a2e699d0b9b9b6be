import { api, useCall } from '@clinic/app-kit';
import type { CallBody, ClinicMoment } from '@clinic/contracts';
import { type PatientChoice, patientChoiceOptions } from '@clinic/svc-clinic/contract/limits';
import type { OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Alert, Button, Dialog, SelectField, Spinner } from '@clinic/ui';
import { useState } from 'react';
import { LoadError } from '../load-error.tsx';
import { seenOf, takeMovesBack } from '../reschedule/move-back.ts';
import { count, useOneByOne } from '../several/use-one-by-one.ts';
import './calls.ts';
import { momentInWords, toldInWords } from './outside-words.ts';

type Act = 'keep' | 'move' | 'cancel';
type Decision = CallBody<'settleOutside'>['decision'];

const done = { keep: 'kept as promised', move: 'moved', cancel: 'cancelled' } as const;

interface SettleAllProps {
  readonly appointments: readonly OutsideAppointment[];
}

/** Keeps, moves or cancels all of the appointments that no longer fit; nothing if there is one only. */
export function SettleAll({ appointments }: SettleAllProps) {
  const [act, setAct] = useState<Exclude<Act, 'keep'>>();
  const settling = useSettling();
  // The dialog stays for those that couldn't be settled, even a single one.
  if (appointments.length < 2 && act === undefined) return null;
  const open = (next: Exclude<Act, 'keep'>): void => {
    settling.reset();
    setAct(next);
  };
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button
        variant="secondary"
        size="sm"
        busy={settling.busy && act === undefined}
        onClick={() => void settling.settle('keep', appointments, () => ({ act: 'keep' }))}
      >
        Keep all {appointments.length}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => open('move')}>
        Move all {appointments.length}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => open('cancel')}>
        Cancel all {appointments.length}
      </Button>
      {act !== undefined && (
        <SettleDialog act={act} appointments={appointments} settling={settling} onClose={() => setAct(undefined)} />
      )}
    </div>
  );
}

type Settling = ReturnType<typeof useSettling>;

/** Decides about several. @returns whether all are decided */
function useSettling() {
  const { run, ...state } = useOneByOne();

  async function settle(
    act: Act,
    appointments: readonly OutsideAppointment[],
    decisionOf: (appointment: OutsideAppointment) => Decision,
  ): Promise<boolean> {
    const settled = await run<OutsideAppointment, OutsideAppointment>(
      appointments,
      (one) =>
        api.call('settleOutside', {
          params: { id: one._id },
          body: { seen: seenOf(one), decision: decisionOf(one) },
        }),
      { done: done[act], ...(act === 'move' && { undo: takeMovesBack }) },
    );
    return settled.length === appointments.length;
  }
  return { ...state, settle };
}

interface SettleDialogProps {
  readonly act: Exclude<Act, 'keep'>;
  readonly appointments: readonly OutsideAppointment[];
  readonly settling: Settling;
  readonly onClose: () => void;
}

/** What becomes of each appointment and what its patient is told, before anything happens. */
function SettleDialog({ act, appointments, settling, onClose }: SettleDialogProps) {
  const [choice, setChoice] = useState<PatientChoice>('not asked');
  const moves = act === 'move';
  const answer = useCall(
    'proposeMoves',
    { body: { appointments: appointments.map(({ _id }) => _id) } },
    { enabled: moves && appointments.length > 0, staleTime: 0, keepPrevious: true },
  );
  const proposed = new Map(answer.data?.map(({ _id, to }) => [_id, to]));
  const chosen = moves ? appointments.filter(({ _id }) => proposed.get(_id)) : appointments;
  const ready = !moves || answer.data !== undefined;

  function decisionOf({ _id, ...own }: OutsideAppointment): Decision {
    if (!moves) return { act, patientChoice: choice };
    const { date, time } = proposed.get(_id) ?? own;
    return { act, date, time, patientChoice: choice };
  }

  return (
    <Dialog
      open
      wide
      title={`${moves ? 'Move' : 'Cancel'} ${count(appointments.length)}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Decide later
          </Button>
          <Button
            variant={moves ? 'primary' : 'danger'}
            busy={settling.busy}
            aria-disabled={!ready || chosen.length === 0}
            onClick={() => {
              if (!ready || chosen.length === 0 || settling.busy) return;
              void settling.settle(act, chosen, decisionOf).then((all) => {
                if (all) onClose();
              });
            }}
          >
            {moves ? 'Move' : 'Cancel'} {count(chosen.length)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>
          {moves
            ? 'Each goes to the nearest free time with the same doctor. You can undo it; messages wait for a minute.'
            : 'Other people can then book times that are within the hours. You can’t undo this.'}
        </p>
        <SelectField
          label="The patients"
          options={patientChoiceOptions}
          value={choice}
          onChange={(event) => setChoice(event.target.value as PatientChoice)}
        />
        {moves && answer.isPending && <Spinner />}
        {moves && <LoadError title="Error loading free times" answer={answer} />}
        {ready && (
          <ul aria-label="What happens" className="divide-y divide-line">
            {appointments.map((one) => (
              <Planned
                key={one._id}
                appointment={one}
                to={moves ? proposed.get(one._id) : 'cancel'}
                failure={settling.failures.get(one._id)}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

interface PlannedProps {
  readonly appointment: OutsideAppointment;
  /** Absent: no time was found. */
  readonly to: ClinicMoment | 'cancel' | undefined;
  readonly failure: string | undefined;
}

function Planned({ appointment, to, failure }: PlannedProps) {
  return (
    <li className="grid gap-1 py-3">
      <p>
        <strong className="font-semibold wrap-anywhere">{appointment.patientname}</strong>,{' '}
        <span className="tabular-nums">{momentInWords(appointment)}</span>
      </p>
      <p className="text-sm">
        {to === undefined
          ? 'There is no free time within two weeks. It stays here: decide about it alone.'
          : toldInWords(appointment, to)}
      </p>
      {failure !== undefined && <Alert kind="error">{failure}</Alert>}
    </li>
  );
}
