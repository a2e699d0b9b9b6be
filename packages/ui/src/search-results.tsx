import { useId, type ElementType } from 'react';
import { Button } from './button.tsx';

/** Something that a search has found, and the page where it is. */
export interface FoundRow {
  readonly key: string;
  readonly to: string;
  readonly name: string;
  /** What tells it from others of the same name. */
  readonly text: string;
}

interface SearchResultsProps {
  /** What is found, e.g. `Patients`. */
  readonly title: string;
  /** The router's link. */
  readonly component: ElementType;
  /** `undefined`: they are still to come. */
  readonly rows: readonly FoundRow[] | undefined;
  /** Why there are none. */
  readonly failure: string | undefined;
  readonly onRetry: () => void;
}

/** What a search has found of one kind. Pages go from row to row by `data-found`. */
export function SearchResults({ title, component: Link, rows, failure, onRetry }: SearchResultsProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={!rows && failure === undefined} className="grid gap-1">
      <div className="flex items-baseline gap-2">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <output className="text-sm text-muted">
          {rows ? (rows.length === 0 ? 'None found' : `${rows.length} found`) : failure === undefined && 'Loading...'}
        </output>
      </div>
      {rows && rows.length > 0 ? (
        <ul className="overflow-hidden rounded-box border border-line">
          {rows.map(({ key, to, name, text }) => (
            <li key={key} className="border-b border-line last:border-b-0">
              <Link
                to={to}
                data-found
                className="block min-h-11 px-4 py-2 wrap-break-word hover:bg-base-300/60 focus-visible:bg-tint"
              >
                <span className="block font-semibold">{name}</span>
                <span className="block text-sm text-muted">{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        failure !== undefined && (
          <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
            {failure}
            <Button size="sm" variant="secondary" icon="refresh" aria-label={`Retry: ${title}`} onClick={onRetry}>
              Retry
            </Button>
          </p>
        )
      )}
    </section>
  );
}
