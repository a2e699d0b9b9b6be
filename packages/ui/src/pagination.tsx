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
  busy,
}: PaginationProps) {
  if (!hasPrevious && !hasNext) return null;
  const figure = (number: number) => number.toLocaleString('en');
  const rows = from === undefined || count === 0 ? figure(count) : `${figure(from)}–${figure(from + count - 1)}`;
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
          aria-disabled={!hasPrevious || busy || undefined}
          onClick={() => hasPrevious && !busy && onPrevious()}
        >
          Previous
        </Button>
        <Button
          variant="ghost"
          size="sm"
          iconAfter="chevron-right"
          aria-disabled={!hasNext || busy || undefined}
          onClick={() => hasNext && !busy && onNext()}
        >
          Next
        </Button>
      </div>
    </nav>
  );
}
