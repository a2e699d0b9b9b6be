import { DateField } from '@clinic/ui';
import { useState } from 'react';
import { periodLabels, periodNames, spanTrouble, type Period, type PeriodName, type Span } from './period.ts';

interface PeriodChoiceProps {
  readonly period: Period;
  readonly onChange: (name: PeriodName, span: Span) => void;
}

/** Which days the figures are about. */
export function PeriodChoice({ period, onChange }: PeriodChoiceProps) {
  return (
    <div className="mb-8 flex flex-wrap items-end gap-x-6 gap-y-4">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-semibold">Period</legend>
        <div className="flex flex-wrap gap-2">
          {periodNames.map((name) => (
            <label
              key={name}
              className="flex min-h-11 cursor-pointer items-center rounded-field border border-line bg-base-100 px-4 text-sm font-semibold hover:bg-base-300/60 has-checked:border-primary has-checked:bg-tint has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
            >
              <input type="radio" name="period" value={name} className="sr-only" checked={period.name === name} onChange={() => onChange(name, period)} />
              {periodLabels[name]}
            </label>
          ))}
        </div>
      </fieldset>
      {period.name === 'own' && <OwnDates span={period} onChange={(span) => onChange('own', span)} />}
    </div>
  );
}

/** Both days; while they make no period the figures stay those of the last one that did. */
function OwnDates({ span, onChange }: { readonly span: Span; readonly onChange: (span: Span) => void }) {
  const [draft, setDraft] = useState<Span>({ from: span.from, to: span.to });
  const trouble = spanTrouble(draft);

  function change(changed: Partial<Span>): void {
    const next = { ...draft, ...changed };
    setDraft(next);
    if (spanTrouble(next) === undefined) onChange(next);
  }

  return (
    <div className="flex flex-wrap items-start gap-4">
      <DateField label="First day" value={draft.from} max="2999-12-31" onChange={(event) => change({ from: event.target.value })} />
      <DateField label="Last day" value={draft.to} max="2999-12-31" error={trouble} onChange={(event) => change({ to: event.target.value })} />
    </div>
  );
}
