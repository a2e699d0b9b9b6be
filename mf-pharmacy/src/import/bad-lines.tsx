import { Button, DataTable, type Column } from '@clinic/ui';
import { useState } from 'react';
import type { BadField } from '../csv/lines.ts';

/** So many are added to the page at once: a file may have thousands. */
const step = 100;

export interface BadLinesProps {
  readonly title: string;
  readonly bad: readonly BadField[];
}

/** Every bad line by number and field, with what stands there. */
export function BadLines({ title, bad }: BadLinesProps) {
  const [shown, setShown] = useState(step);
  const left = bad.length - shown;
  return (
    <section className="grid min-w-0 gap-2" aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <DataTable caption="Bad lines" columns={columns} rows={bad.slice(0, shown)} rowKey={({ line, field, message }) => `${line} ${field} ${message}`} empty={{ title: 'None' }} />
      {left > 0 && <Button variant="soft" size="sm" className="justify-self-start" onClick={() => setShown(shown + step)}>{`Show ${Math.min(left, step)} more of ${left.toLocaleString('en')}`}</Button>}
    </section>
  );
}

const columns: Column<BadField>[] = [
  { key: 'line', header: 'Line', primary: true, cell: ({ line }) => <span className="whitespace-nowrap tabular-nums">Line {line}</span> },
  { key: 'field', header: 'Field', cell: ({ field }) => field },
  { key: 'message', header: 'Problem', cell: ({ message }) => message },
  { key: 'value', header: 'Stands there', cell: ({ value }) => (value === '' ? <span className="text-muted">nothing</span> : <span className="wrap-anywhere">{value}</span>) },
];
