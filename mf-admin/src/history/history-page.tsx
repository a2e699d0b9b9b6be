import { addDays, definePage, useConfig } from '@clinic/app-kit';
import { useListState, type ListState } from '@clinic/app-kit/records';
import { clinicInstant } from '@clinic/contracts/clinic-time';
import { clinicActions } from '@clinic/svc-clinic/contract/actions';
import { accessActions, type AccessAction } from '@clinic/svc-identity/contract/actions';
import { pharmacyActions } from '@clinic/svc-pharmacy/contract/actions';
import { Button, FilterBar, PageHeader, SearchField } from '@clinic/ui';
import { DaysFilter, dayIn, ListFilter } from '@clinic/ui/list-filters';
import { DataTable } from '@clinic/ui/tables';
import { useMemo, useState } from 'react';
import { MissingPart } from '../missing-part.tsx';
import { labelOf } from './describe-event.ts';
import { columnsFor } from './history-columns.tsx';
import { LooksList } from './looks-list.tsx';
import { mergeEvents } from './merge-events.ts';
import { useEvents, type EventFilters } from './use-events.ts';
import '../setup.ts';

/** Actions that change no records. */
const signInActions: readonly string[] = ['signed in', 'sign-in refused', 'logged out'] satisfies AccessAction[];
const actions = [...new Set<string>([...accessActions, ...clinicActions, ...pharmacyActions])].toSorted((a, b) =>
  a.localeCompare(b),
);
const partNames = {
  identity: 'users and access',
  clinic: 'appointments and profiles',
  pharmacy: 'orders and medicines',
} as const;
/** Rows at first; each request for older ones doubles them. */
const atOnce = 20;

/** History (`/dash/history`): every change by anyone, from all services, and which staff viewed a person's records. */
export function HistoryPage() {
  const list = useListState();
  const action = list.get('action');
  const looks = list.get('show') === 'looks';
  // A large clinic has a thousand sign-ins a day, and a handful of changes that an admin is interested in.
  const withSignIns = list.get('show') === 'all' || signInActions.includes(action);
  return (
    <>
      <PageHeader
        title="History"
        description="Every change anyone has made, latest first. No one can edit or delete the history."
      />
      <FilterBar label="Filter the history">
        <SearchField label="Person" placeholder="Full email address" value={list.text} onChange={list.setText} />
        <ListFilter
          label="Show"
          hideLabel
          className="min-w-62"
          options={[
            { value: '', label: 'Changes only' },
            { value: 'all', label: 'All, with sign-ins' },
            { value: 'looks', label: 'Who viewed their records' },
          ]}
          value={looks ? 'looks' : withSignIns ? 'all' : ''}
          onChange={(value) => {
            list.set('show', value);
            if (value !== 'all' && signInActions.includes(action)) list.set('action', '');
          }}
        />
        {!looks && <EventFilterFields list={list} />}
      </FilterBar>
      {looks ? <LooksList person={list.q} /> : <Events list={list} withSignIns={withSignIns} />}
    </>
  );
}

function EventFilterFields({ list }: { readonly list: ListState }) {
  return (
    <>
      <ListFilter
        label="Action"
        hideLabel
        options={[{ value: '', label: 'All actions' }, ...actions.map((value) => ({ value, label: labelOf(value) }))]}
        value={list.get('action')}
        onChange={(action) => list.set('action', action)}
      />
      <DaysFilter list={list} />
    </>
  );
}

function Events({ list, withSignIns }: { readonly list: ListState; readonly withSignIns: boolean }) {
  const { clinicTimeZone } = useConfig();
  const record = list.get('record');
  const [from, until] = [dayIn(list, 'from'), dayIn(list, 'until')];
  const startOf = (date: string): string => clinicInstant({ date, time: '00:00' }, clinicTimeZone).toISOString();
  const filters: EventFilters = {
    person: list.q || undefined,
    record: record || undefined,
    action: list.get('action') || undefined,
    changes: withSignIns ? undefined : 'true',
    from: from ? startOf(from) : undefined,
    until: until ? startOf(addDays(until, 1)) : undefined,
  };
  const { parts, rows, more, showMore } = useHistory(filters);
  const columns = useMemo(() => columnsFor(clinicTimeZone), [clinicTimeZone]);
  const failed = parts.filter(({ error }) => error);
  const loading = rows.length === 0 && parts.some((part) => part.loading);
  const retry = (): void => failed.forEach((part) => part.retry());

  return (
    <>
      {record && (
        <p className="mb-4 flex flex-wrap items-center gap-3 text-sm">
          This shows the changes to one record.{' '}
          <Button size="sm" variant="soft" icon="x" onClick={() => list.set('record', '')}>
            Show all records
          </Button>
        </p>
      )}
      {failed.length > 0 && failed.length < parts.length && (
        <div className="mb-4">
          <MissingPart
            title={`Missing: ${failed.map(({ part }) => partNames[part.service]).join(', ')}`}
            onRetry={retry}
          >
            That part of the clinic isn’t available right now. The rest of the history is complete.
          </MissingPart>
        </div>
      )}
      <DataTable
        caption="History"
        cardsBelow="lg"
        columns={columns}
        rows={loading ? undefined : rows}
        rowKey={({ service, _id }) => `${service} ${_id}`}
        loading={loading}
        error={failed.length === parts.length ? 'Error loading the history' : undefined}
        errorText={failed[0]?.error?.message}
        onRetry={retry}
        empty={{
          title: withSignIns ? 'There is no activity to show' : 'There are no changes to show',
          text: 'Try another person, action or time.',
          action: (
            <>
              {!withSignIns && (
                <Button variant="soft" onClick={() => list.set('show', 'all')}>
                  Show sign-ins
                </Button>
              )}
              {list.narrowed && (
                <Button variant="soft" onClick={list.clear}>
                  Clear filters
                </Button>
              )}
            </>
          ),
        }}
      />
      {more && (
        <div className="mt-6 grid justify-items-center">
          <Button variant="secondary" busy={parts.some(({ fetching }) => fetching)} onClick={showMore}>
            Show older changes
          </Button>
        </div>
      )}
    </>
  );
}

/** The latest events of all services that match. */
function useHistory(filters: EventFilters) {
  const filterKey = JSON.stringify(filters);
  const [request, setRequest] = useState({ filterKey, count: atOnce });
  // New filters start from the latest event.
  const count = request.filterKey === filterKey ? request.count : atOnce;
  const identity = useEvents('identity', filters, count);
  const clinic = useEvents('clinic', filters, count);
  const pharmacy = useEvents('pharmacy', filters, count);
  const parts = [identity, clinic, pharmacy];
  // Hundreds of rows may be on the page: rows and columns keep their identity while somebody types.
  const known = useMemo(
    () => mergeEvents([identity.part, clinic.part, pharmacy.part]),
    [identity.part, clinic.part, pharmacy.part],
  );
  const rows = useMemo(() => known.slice(0, count), [known, count]);
  return {
    parts,
    rows,
    more: known.length > count || parts.some(({ part }) => part.more),
    showMore: () => setRequest({ filterKey, count: count * 2 }),
  };
}

export default definePage({ Component: HistoryPage });
