import { Button } from './button.tsx';

export interface PaginationProps {
  /** What is paged, as the navigation's name: 'Orders'. */
  readonly label?: string;
  /** Position of the first row shown, from 1; unknown if somebody opened a later page by a link. */
  readonly from?: number;
  /** Number of rows shown. */
  readonly count: number;
  /** Number of rows in all, if known. */
  readonly total?: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
  /** The next page's cursor, which the buttons then send with the form around them where scripts don't run. */
  readonly sends?: string;
  readonly busy?: boolean;
}

/** 'Previous' and 'Next' with '1–20 of 134'; nothing if all rows fit on one page. */
export function Pagination({
  label = 'Pages',
  hasPrevious,
  from = hasPrevious ? undefined : 1,
  count,
  total,
  hasNext,
  onPrevious,
  onNext,
  sends,
  busy,
}: PaginationProps) {
  if (!hasPrevious && !hasNext) return null;
  const figure = (number: number) => number.toLocaleString('en');
  const rows = from === undefined || count === 0 ? figure(count) : `${figure(from)}–${figure(from + count - 1)}`;
  const sent = (cursor: string) => sends !== undefined && ({ type: 'submit', name: 'cursor', value: cursor } as const);
  const shown = total === undefined ? rows : `${rows} of ${figure(total)}`;
  return (
    <nav aria-label={label} className="ui-pagination">
      <output>
        <span key={shown}>{shown}</span>
      </output>
      <div>
        <Button
          variant="ghost"
          size="sm"
          icon="chevron-left"
          {...sent('')}
          aria-disabled={!hasPrevious || busy || undefined}
          onClick={() => hasPrevious && !busy && onPrevious()}
        >
          Previous
        </Button>
        <Button
          variant="ghost"
          size="sm"
          iconAfter="chevron-right"
          {...sent(sends ?? '')}
          aria-disabled={!hasNext || busy || undefined}
          onClick={() => hasNext && !busy && onNext()}
        >
          Next
        </Button>
      </div>
    </nav>
  );
}
