import { knownLabel } from '@clinic/contracts/known-words';
import { definePage, useCall, useConfig, useParams } from '@clinic/app-kit';
import { useChange, useListState, usePagedCall } from '@clinic/app-kit/records';
import { Button, FilterBar, PageHeader, StatusBadge, type Tone } from '@clinic/ui';
import { ListFilter } from '@clinic/ui/list-filters';
import { actionsColumn } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import type { Column } from '@clinic/ui/tables';
import { useMemo } from 'react';
import type { WebhookDelivery } from '../calls.ts';
import { instantInWords, labelOf } from '../words.ts';
import '../setup.ts';
import './calls.ts';

type Status = WebhookDelivery['status'];

const labels: Readonly<Record<Status, string>> = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };
const tones: Readonly<Record<Status, Tone>> = { pending: 'yellow', delivered: 'green', failed: 'red' };
const options = [
  { value: '', label: 'All statuses' },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

/** Most webhooks among which the page looks for its own, whose address it shows. */
const mostWebhooks = 200;

/** Deliveries (`/dash/messages/webhooks/:id`): what a webhook was sent in the last 30 days, for admins. */
export function DeliveriesPage() {
  const { clinicTimeZone } = useConfig();
  const { id = '' } = useParams();
  const list = useListState();
  const status = Object.hasOwn(labels, list.status) ? (list.status as Status) : undefined;
  const deliveries = usePagedCall('listWebhookDeliveries', { status }, { params: { id } });
  const webhooks = useCall('listWebhooks', { query: { limit: mostWebhooks } });
  const url = webhooks.data?.find(({ _id }) => _id === id)?.url;
  const columns = useMemo(() => deliveryColumns(clinicTimeZone), [clinicTimeZone]);
  return (
    <>
      <PageHeader
        title="Deliveries"
        count={deliveries.total}
        description={
          <span className="wrap-anywhere">{`What ${url ?? 'the webhook'} was sent in the last 30 days.`}</span>
        }
      />
      <FilterBar label="Filter the deliveries">
        <ListFilter label="Status" hideLabel options={options} value={status} onChange={list.setStatus} />
      </FilterBar>
      <PagedTable
        caption="Deliveries"
        page={deliveries}
        rows={deliveries.rows}
        failure="Error loading deliveries"
        pages="Pages of deliveries"
        columns={columns}
        rowKey={({ _id }) => _id}
        cardsBelow="lg"
        empty={
          list.narrowed
            ? { title: 'No deliveries match', text: 'Try another status.' }
            : {
                title: 'No deliveries yet',
                text: 'The first one appears here when something happens.',
                icon: 'activity',
              }
        }
      />
    </>
  );
}

/** @param timeZone - the clinic's, IANA name */
function deliveryColumns(timeZone: string): Column<WebhookDelivery>[] {
  return [
    {
      key: 'type',
      header: 'Event',
      primary: true,
      cell: ({ type, event }) => (
        <span className="block min-w-0 wrap-anywhere">
          {labelOf(type)} <span className="block text-sm font-normal text-muted">{event}</span>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status, lastError, nextAttemptAt }) => (
        <span className="block min-w-0">
          <StatusBadge status={knownLabel(labels, status)} tone={tones[status]} />{' '}
          {lastError && <span className="block max-w-md text-sm wrap-anywhere text-muted">{lastError}</span>}
          {nextAttemptAt && (
            <span className="block text-sm text-muted">Next attempt {instantInWords(nextAttemptAt, timeZone)}</span>
          )}
        </span>
      ),
    },
    { key: 'attempts', header: 'Attempts', align: 'end', cell: ({ attempts }) => attempts.toLocaleString('en') },
    {
      key: 'at',
      header: 'Date',
      foldInto: 'type',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{instantInWords(createdAt, timeZone)}</time>,
    },
    actionsColumn((delivery) => (delivery.status === 'pending' ? null : <ReplayButton delivery={delivery} />)),
  ];
}

function ReplayButton({ delivery: { _id, type, event } }: { readonly delivery: WebhookDelivery }) {
  const replay = useChange('replayWebhookDelivery', {
    invalidates: ['listWebhookDeliveries'],
    success: 'The event will be delivered again',
  });
  return (
    <Button
      size="sm"
      variant="ghost"
      icon="refresh"
      busy={replay.isPending}
      aria-label={`Replay: ${labelOf(type)}, ${event}`}
      onClick={() => replay.mutate({ params: { id: _id } })}
    >
      Replay
    </Button>
  );
}

export default definePage({ Component: DeliveriesPage });
