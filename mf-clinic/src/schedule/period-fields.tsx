import { addDays, formatShortDate } from '@clinic/app-kit';
import type { FieldError } from '@clinic/contracts';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import { Button, DateField, NumberField, SelectField } from '@clinic/ui';
import { errorAt, type PeriodDraft } from './draft.ts';

interface PeriodFieldsProps {
  readonly periods: readonly PeriodDraft[];
  /** The one being edited. */
  readonly index: number;
  readonly errors: readonly FieldError[];
  readonly today: string;
  readonly onShow: (index: number) => void;
  /** @param show - the period to edit next */
  readonly onPeriods: (periods: readonly PeriodDraft[], show: number) => void;
  readonly onChange: (fields: Partial<PeriodDraft>) => void;
}

const lengths = [10, 15, 20, 30, 45, 60, 90, 120];

/** Which period is edited, from when until when it applies, and how long its appointments are. */
export function PeriodFields({ periods, index, errors, today, onShow, onPeriods, onChange }: PeriodFieldsProps) {
  const period = periods[index];
  if (!period) return null;
  const { from, until, slotMinutes, bufferMinutes } = period;
  const several = periods.length > 1;
  const error = (field: string) => errorAt(errors, `periods.${index}.${field}`);

  /** The period being edited ends before the new one starts. */
  function add(): void {
    if (!period) return;
    const start = addDays(period.from > today ? period.from : today, 28);
    const ended = { ...period, until: addDays(start, -1) };
    const next = { ...period, from: start, until: period.until > start ? period.until : '' };
    onPeriods([...periods.slice(0, index), ended, next, ...periods.slice(index + 1)], index + 1);
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {several &&
          periods.map((one, at) => (
            <button
              key={at}
              type="button"
              aria-pressed={at === index}
              className={`btn btn-sm ${at === index ? 'btn-primary' : 'btn-outline btn-primary'}`}
              onClick={() => onShow(at)}
            >
              {periodName(one)}
            </button>
          ))}
        {periods.length < scheduleLimits.periods && (
          <Button variant="soft" size="sm" icon="plus" onClick={add}>
            Other hours from a later day
          </Button>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <SelectField
          label="Appointment length"
          options={[...new Set([...lengths, slotMinutes])]
            .toSorted((one, other) => one - other)
            .map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }))}
          value={String(slotMinutes)}
          error={error('slotMinutes')}
          onChange={(event) => onChange({ slotMinutes: Number(event.target.value) })}
        />
        <NumberField
          label="Minutes between"
          min={0}
          max={scheduleLimits.mostBufferMinutes}
          step={5}
          hint="Kept free after each."
          value={String(bufferMinutes)}
          error={error('bufferMinutes')}
          onChange={(event) => onChange({ bufferMinutes: Math.trunc(Number(event.target.value)) || 0 })}
        />
        <DateField
          label="From (optional)"
          value={from}
          error={error('from')}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <DateField
          label="Until (optional)"
          value={until}
          min={from}
          error={error('until')}
          onChange={(event) => onChange({ until: event.target.value })}
        />
      </div>
      {several && (
        <Button
          variant="link"
          size="sm"
          className="justify-self-start"
          onClick={() =>
            onPeriods(
              periods.filter((_, at) => at !== index),
              Math.max(0, index - 1),
            )
          }
        >
          Remove these hours ({periodName(period)})
        </Button>
      )}
    </div>
  );
}

function periodName({ from, until }: PeriodDraft): string {
  if (from && until) return `${formatShortDate(from)} to ${formatShortDate(until)}`;
  if (from) return `From ${formatShortDate(from)}`;
  return until ? `Until ${formatShortDate(until)}` : 'Always';
}
