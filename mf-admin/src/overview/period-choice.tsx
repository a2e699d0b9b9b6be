import { DateField } from '@clinic/ui';
import { useState } from 'react';
import { periodLabels, periodNames, spanTrouble, type Period, type PeriodName, type Span } from './period.ts';

interface PeriodChoiceProps {
  readonly period: Period;
  readonly onChange: (name: PeriodName, span: Span) => void;
}

/** The choice of period for the figures. */
export function PeriodChoice({ period, onChange }: PeriodChoiceProps) {
  // The press shows at once; the address follows once the page has rendered.
  const [pressed, setPressed] = useState<PeriodName>(period.name);
  const [followed, setFollowed] = useState(period.name);
  if (followed !== period.name) {
    setFollowed(period.name);
    setPressed(period.name);
  }

  function press(name: PeriodName): void {
    setPressed(name);
    onChange(name, period);
  }

  return (
    <div className="mb-8 flex flex-wrap items-start gap-x-6 gap-y-4 print:hidden">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-semibold">Period</legend>
        <div className="flex flex-wrap gap-2">
          {periodNames.map((name) => (
            <label
              key={name}
              className="relative flex min-h-11 cursor-pointer items-center rounded-field border border-line bg-base-100 px-4 text-sm font-semibold hover:bg-base-300/60 has-checked:border-primary has-checked:bg-tint has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
            >
              <input
                type="radio"
                name="period"
                value={name}
                className="absolute inset-0 cursor-pointer opacity-0"
                checked={pressed === name}
                onChange={() => press(name)}
              />
              {periodLabels[name]}
            </label>
          ))}
        </div>
      </fieldset>
      {period.name === 'own' && <OwnDates span={period} onChange={(span) => onChange('own', span)} />}
    </div>
  );
}

/** Start and end; while they aren't a valid period the figures stay those of the last valid one. */
function OwnDates({ span, onChange }: { readonly span: Span; readonly onChange: (span: Span) => void }) {
  const [draft, setDraft] = useState<Span>({ from: span.from, to: span.to });
  const trouble = spanTrouble(draft);

  function change(changed: Partial<Span>): void {
    const next = { ...draft, ...changed };
    setDraft(next);
    if (spanTrouble(next) === undefined) onChange(next);
  }

  return (
    <div className="flex flex-wrap items-start gap-3">
      <DateField
        label="First day"
        className="w-44"
        value={draft.from}
        max="2999-12-31"
        onChange={(event) => change({ from: event.target.value })}
      />
      <DateField
        label="Last day"
        className="w-44"
        value={draft.to}
        max="2999-12-31"
        error={trouble}
        onChange={(event) => change({ to: event.target.value })}
      />
    </div>
  );
}
