import { definePage } from '@clinic/app-kit';
import { usePagedCall } from '@clinic/app-kit/records';
import { PageHeader, Pagination } from '@clinic/ui';
import { DataTable } from '@clinic/ui/tables';
import { entryColumns } from './entry-columns.tsx';
import { EntryForm } from './entry-form.tsx';
import '../setup.ts';

/** Messages (`/dash/messages`): the entries, and a form for a new one. */
export function EntriesPage() {
  const { rows, total, loading, refreshing, error, retry, ...pages } = usePagedCall('listMessagesEntries', {});
  return (
    <>
      <PageHeader title="Messages" count={total} />
      <EntryForm />
      <DataTable
        caption="Messages"
        columns={entryColumns}
        rows={rows}
        rowKey={({ _id }) => _id}
        loading={loading}
        error={error ? 'Error loading entries' : undefined}
        onRetry={retry}
        empty={{ title: 'No entries yet', text: 'The first one appears here.' }}
        cardsBelow="md"
      />
      <Pagination
        {...pages}
        label="Pages of entries"
        count={rows.length}
        total={total}
        busy={refreshing}
        onPrevious={pages.previous}
        onNext={pages.next}
      />
    </>
  );
}

export default definePage({ Component: EntriesPage });
