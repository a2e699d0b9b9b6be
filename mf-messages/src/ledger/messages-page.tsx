import { definePage, Link, useConfig } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { useListState, usePagedCall, type ListState } from '@clinic/app-kit/records';
import { ButtonLink, FilterBar, PageHeader, SearchField, type EmptyStateProps } from '@clinic/ui';
import { DaysFilter, dayIn, ListFilter } from '@clinic/ui/list-filters';
import { noneMatch } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import { useMemo } from 'react';
import { isKind, isStatus, kindGroups, kindLabels, statusLabels } from '../words.ts';
import { messageColumns } from './message-columns.tsx';
import { MessageDialog } from './message-dialog.tsx';
import '../setup.ts';

const statusOptions = [
  { value: '', label: 'All statuses' },
  ...Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
];
const kindOptions = [
  { value: '', label: 'All kinds' },
  ...kindGroups.flatMap(({ kinds }) => kinds.map((value) => ({ value, label: kindLabels[value] }))),
];

/** Messages (`/dash/messages`): all messages and their states, for admins. */
export function MessagesPage() {
  const { clinicTimeZone } = useConfig();
  const list = useListState();
  const kind = list.get('kind');
  const status = isStatus(list.status) ? list.status : undefined;
  const messages = usePagedCall('listMessages', {
    q: list.q || undefined,
    status,
    kind: isKind(kind) ? kind : undefined,
    from: dayIn(list, 'from') || undefined,
    until: dayIn(list, 'until') || undefined,
  });
  const [opened, open] = useOpened(messages.rows, ({ _id }) => _id);
  const columns = useMemo(() => messageColumns(clinicTimeZone, open), [clinicTimeZone, open]);
  return (
    <>
      <PageHeader
        title="Messages"
        count={messages.total}
        description="Every email to patients and staff, with what became of it."
        actions={
          <>
            <ButtonLink component={Link} to="/dash/messages/kinds" variant="soft" icon="mail">
              Kinds and templates
            </ButtonLink>
            <ButtonLink component={Link} to="/dash/messages/webhooks" variant="soft" icon="activity">
              Webhooks
            </ButtonLink>
          </>
        }
      />
      <FilterBar label="Filter the messages">
        <SearchField label="Search by person" placeholder="Name or email" value={list.text} onChange={list.setText} />
        <ListFilter label="Status" hideLabel options={statusOptions} value={status} onChange={list.setStatus} />
        <ListFilter
          label="Kind"
          hideLabel
          options={kindOptions}
          value={kind}
          onChange={(value) => list.set('kind', value)}
        />
        <DaysFilter list={list} />
      </FilterBar>
      <PagedTable
        caption="Messages"
        page={messages}
        rows={messages.rows}
        failure="Error loading messages"
        pages="Pages of messages"
        columns={columns}
        rowKey={({ _id }) => _id}
        cardsBelow="lg"
        empty={emptyOf(list)}
      />
      {opened && <MessageDialog message={opened} onClose={() => open()} />}
    </>
  );
}

function emptyOf(list: ListState): EmptyStateProps {
  return list.narrowed
    ? noneMatch('messages', 'Try another person, status, kind or time.', list.clear)
    : { title: 'No messages yet', text: 'The first one appears here when somebody books or orders.', icon: 'mail' };
}

export default definePage({ Component: MessagesPage });
