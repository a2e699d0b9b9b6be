import { Spinner } from '@clinic/ui';

export interface ImportProgressProps {
  readonly label: string;
  /** Lines done. */
  readonly done: number;
  /** 0: unknown yet. */
  readonly total: number;
}

/** Progress as a bar and in figures. */
export function ImportProgress({ label, done, total }: ImportProgressProps) {
  if (total === 0) return <Spinner label={`${label}…`} />;
  return (
    <div className="grid gap-2">
      <p className="flex justify-between gap-4">
        <span>{label}…</span>{' '}
        <span className="text-muted tabular-nums">
          {done.toLocaleString('en')} of {total.toLocaleString('en')}
        </span>
      </p>
      <progress aria-label={label} value={done} max={total} className="h-3 w-full accent-primary" />
      <p className="text-sm text-muted">Keep this page open.</p>
    </div>
  );
}
