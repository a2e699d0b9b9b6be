import { Pagination } from '@clinic/ui';
import { DataTable, type DataTableProps } from '@clinic/ui/tables';

/** One page of a list, as app-kit's `usePagedCall` returns it. */
interface PageOfList {
  readonly rows: readonly unknown[];
  readonly total: number | undefined;
  readonly loading: boolean;
  readonly refreshing: boolean;
  readonly error: { readonly message: string } | undefined;
  readonly from: number | undefined;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly next: () => void;
  readonly previous: () => void;
  readonly retry: () => void;
}

interface PagedTableProps<Row> extends Omit<
  DataTableProps<Row>,
  'rows' | 'loading' | 'error' | 'errorText' | 'onRetry'
> {
  readonly page: PageOfList;
  readonly rows: readonly Row[];
  /** What failed, if the page can't be loaded: 'Error loading users'. */
  readonly failure: string;
  /** Name of the pages' navigation; the caption by default. */
  readonly pages?: string;
}

/** A table of one page of a list, with the buttons to the next and previous page. */
export function PagedTable<Row>({ page, rows, failure, pages, ...table }: PagedTableProps<Row>) {
  return (
    <>
      <DataTable
        {...table}
        rows={page.loading ? undefined : rows}
        loading={page.loading || page.refreshing}
        error={page.error && failure}
        errorText={page.error?.message}
        onRetry={page.retry}
      />
      <Pagination
        label={pages ?? table.caption}
        from={page.from}
        count={page.rows.length}
        total={page.total}
        hasPrevious={page.hasPrevious}
        hasNext={page.hasNext}
        onPrevious={page.previous}
        onNext={page.next}
        busy={page.refreshing}
      />
    </>
  );
}
