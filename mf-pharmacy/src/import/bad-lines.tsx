import { Button } from '@clinic/ui';
import { useState } from 'react';
import type { BadField } from '../csv/lines.ts';

/** Lines added to the page at once: a file may have thousands. */
const step = 100;

export interface BadLinesProps {
  readonly title: string;
  readonly bad: readonly BadField[];
}

/** Every bad line by number, with the field, its content and what is wrong with it. */
export function BadLines({ title, bad }: BadLinesProps) {
  const [shown, setShown] = useState(step);
  const lines = byLine(bad);
  const left = lines.length - shown;
  return (
    <section className="grid min-w-0 gap-3" aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ol className="divide-y divide-line rounded-card border border-line">
        {lines.slice(0, shown).map(([line, fields]) => (
          <li key={line} className="gap-x-6 px-5 py-3 sm:grid sm:grid-cols-[6rem_minmax(0,1fr)]">
            <p className="font-semibold tabular-nums">{`Line ${line.toLocaleString('en')}`}</p>
            <ul className="grid gap-1">
              {fields.map(({ field, message, value }) => (
                <li key={`${field} ${message}`} className="wrap-anywhere">
                  {message}{' '}
                  <span className="text-sm text-muted">
                    ({field}: {value === '' ? 'empty' : `“${value}”`})
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <Button
          variant="soft"
          size="sm"
          className="justify-self-start"
          onClick={() => setShown(shown + step)}
        >{`Show ${Math.min(left, step)} more of ${left.toLocaleString('en')}`}</Button>
      )}
    </section>
  );
}

function byLine(bad: readonly BadField[]): [number, BadField[]][] {
  const lines = new Map<number, BadField[]>();
  for (const field of bad) lines.set(field.line, [...(lines.get(field.line) ?? []), field]);
  return [...lines];
}
