import { Button, Icon, TextField } from '@clinic/ui';
import { useState } from 'react';

interface MomentListProps {
  readonly label: string;
  /** Label for adding one. */
  readonly addLabel: string;
  /** 'HH:mm' or 'yyyy-mm-dd', the format of the native field. */
  readonly type: 'time' | 'date';
  readonly values: readonly string[];
  readonly format: (value: string) => string;
  /** What an empty list means. */
  readonly none: string;
  readonly onChange: (values: readonly string[]) => void;
}

/** Times or days that can be added and removed, unique and in order. */
export function MomentList({ label, addLabel, type, values, format, none, onChange }: MomentListProps) {
  const [next, setNext] = useState('');

  function add(): void {
    if (next === '') return;
    onChange([...new Set([...values, next])].toSorted((a, b) => a.localeCompare(b)));
    setNext('');
  }

  return (
    <fieldset className="grid min-w-0 content-start gap-3">
      <legend className="mb-2 font-semibold">{label}</legend>
      {values.length === 0 ? (
        <p className="text-sm text-muted">{none}</p>
      ) : (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {values.map((value) => (
            <li
              key={value}
              className="inline-flex items-center rounded-lg bg-base-200 ps-3 text-sm font-medium tabular-nums"
            >
              {format(value)}
              <button
                type="button"
                className="grid size-8 cursor-pointer place-items-center rounded-lg text-muted hover:text-base-content"
                aria-label={`Remove ${format(value)}`}
                onClick={() => onChange(values.filter((one) => one !== value))}
              >
                <Icon name="x" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-2">
        <TextField
          label={addLabel}
          type={type}
          value={next}
          onChange={(event) => setNext(event.target.value)}
          className="min-w-0 grow"
        />
        <Button variant="secondary" icon="plus" onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
