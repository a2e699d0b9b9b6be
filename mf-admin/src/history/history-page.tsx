import {
  definePage,
  addDays,
  clinicMoment,
  formatShortDate,
  formatTime,
  Link,
  useConfig,
  useSearchParams,
} from '@clinic/app-kit';
import { useListState } from '@clinic/app-kit/records';
import { clinicInstant } from '@clinic/contracts/clinic-time';
import { accessActions, clinicActions, pharmacyActions, type AccessAction } from '@clinic/contracts/event-actions';
import {
  Alert,
  Button,
  EmailLink,
  EmailText,
  FilterBar,
  PageHeader,
  SearchField,
  SelectField,
  TextField,
} from '@clinic/ui';
import { DataTable, type Column } from '@clinic/ui/tables';
import { Fragment, useMemo, useState } from 'react';
import { fieldChanges, labelOf, recordAddress, recordName } from './describe-event.ts';
import { mergeEvents, type ListedEvent } from './merge-events.ts';
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

/** History (`/dash/history`): every change by anyone, from all services. */
export function HistoryPage() {
  const { clinicTimeZone } = useConfig();
  const list = useListState();
  const record = list.get('record');
  const day = (name: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(list.get(name)) ? list.get(name) : '');
  const [from, until] = [day('from'), day('until')];
  const action = list.get('action');
  // A large clinic has a thousand sign-ins a day, and a handful of changes that an admin is interested in.
  const withSignIns = list.get('show') === 'all' || signInActions.includes(action);
  const startOf = (date: string): string => clinicInstant({ date, time: '00:00' }, clinicTimeZone).toISOString();
  const filters: EventFilters = {
    person: list.q || undefined,
    record: record || undefined,
    action: action || undefined,
    changes: withSignIns ? undefined : 'true',
    from: from ? startOf(from) : undefined,
    until: until ? startOf(addDays(until, 1)) : undefined,
  };
  const asked = JSON.stringify(filters);
  const [request, setRequest] = useState({ asked, count: atOnce });
  // New filters start from the latest event.
  const count = request.asked === asked ? request.count : atOnce;
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
  const columns = useMemo(() => columnsFor(clinicTimeZone), [clinicTimeZone]);
  const failed = parts.filter(({ error }) => error);
  const loading = rows.length === 0 && parts.some((part) => part.loading);
  const retry = (): void => failed.forEach((part) => part.retry());

  return (
    <>
      <PageHeader
        title="History"
        description="Every change anyone has made, latest first. No one can edit or delete the history."
      />
      <FilterBar label="Filter the history">
        <SearchField
          label="Person"
          placeholder="A person’s full email address"
          value={list.text}
          onChange={list.setText}
        />
        <SelectField
          label="Show"
          hideLabel
          options={[
            { value: '', label: 'Changes only' },
            { value: 'all', label: 'All, with sign-ins' },
          ]}
          value={withSignIns ? 'all' : ''}
          onChange={({ target: { value } }) => {
            list.set('show', value);
            if (!value && signInActions.includes(action)) list.set('action', '');
          }}
        />
        <SelectField
          label="Action"
          hideLabel
          options={[{ value: '', label: 'All actions' }, ...actions.map((value) => ({ value, label: labelOf(value) }))]}
          value={action}
          onChange={(event) => list.set('action', event.target.value)}
        />
        <TextField
          label="From day"
          type="date"
          value={from}
          onChange={(event) => list.set('from', event.target.value)}
        />
        <TextField
          label="Until day"
          type="date"
          value={until}
          onChange={(event) => list.set('until', event.target.value)}
        />
      </FilterBar>
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
          <Alert
            kind="warning"
            title={`Missing: ${failed.map(({ part }) => partNames[part.service]).join(', ')}`}
            actions={
              <Button size="sm" variant="secondary" icon="refresh" onClick={retry}>
                Retry
              </Button>
            }
          >
            That part of the clinic isn’t available right now. The rest of the history is complete.
          </Alert>
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
      {(known.length > count || parts.some(({ part }) => part.more)) && (
        <div className="mt-6 grid justify-items-center">
          <Button
            variant="secondary"
            busy={parts.some(({ fetching }) => fetching)}
            onClick={() => setRequest({ asked, count: count * 2 })}
          >
            Show older changes
          </Button>
        </div>
      )}
    </>
  );
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function columnsFor(timeZone: string): readonly Column<ListedEvent>[] {
  return [
    {
      key: 'action',
      header: 'What',
      primary: true,
      cell: ({ action, at }) => {
        const { date, time } = clinicMoment(new Date(at), timeZone);
        return (
          <>
            {capitalise(labelOf(action))}
            <time dateTime={at} className="block text-sm font-normal whitespace-nowrap text-muted">
              {formatShortDate(date)}, {formatTime(time)}
            </time>
          </>
        );
      },
    },
    {
      key: 'actor',
      header: 'Who',
      foldInto: 'action',
      foldLabel: 'By',
      cell: ({ actor }) =>
        actor ? (
          <>
            <EmailLink email={actor.email} />
            <span className="block text-sm text-muted">{actor.role}</span>
          </>
        ) : (
          <span className="whitespace-nowrap">The system</span>
        ),
    },
    { key: 'changes', header: 'Before and after', cell: (event) => <Changes event={event} /> },
    {
      key: 'record',
      header: 'Record',
      foldInto: 'changes',
      cell: (event) => {
        const to = recordAddress(event);
        const text = event.record.type.charAt(0).toUpperCase() + event.record.type.slice(1);
        const name = recordName(event);
        return (
          <>
            {to ? (
              <Link className="whitespace-nowrap text-primary underline underline-offset-4" to={to}>
                {text}
              </Link>
            ) : (
              text
            )}
            {name && (
              <span className="block max-w-60 text-sm text-muted wrap-break-word">
                <Value text={name} />
              </span>
            )}
          </>
        );
      },
    },
    {
      key: 'only',
      header: 'Actions',
      actions: true,
      align: 'end',
      // The record of a sign-in contains nothing else.
      cell: ({ record }) => record.type !== 'sign-in' && <OnlyThisButton record={record} />,
    },
  ];
}

function OnlyThisButton({ record }: { readonly record: ListedEvent['record'] }) {
  const [, setSearch] = useSearchParams();
  const show = (): void =>
    setSearch(
      (current) => {
        const changed = new URLSearchParams(current);
        changed.set('record', record.id);
        return changed;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Button variant="ghost" size="sm" icon="clock" onClick={show}>
      Only this {record.type}
    </Button>
  );
}

/** A value that may contain email addresses, which don't break inside a word. */
function Value({ text }: { readonly text: string }) {
  return text
    .split(/([^\s,]+@[^\s,]+)/)
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : <EmailText email={part} />}</Fragment>);
}

/** Longer ones are collapsed. */
const mostShown = 4;

function Changes({ event }: { readonly event: ListedEvent }) {
  const changes = fieldChanges(event);
  if (changes.length === 0) return <>–</>;
  const lines = (some: typeof changes) => (
    <ul className="grid max-w-96 gap-0.5 text-sm wrap-break-word">
      {some.map(({ field, before, after }) => (
        <li key={field}>
          <span className="text-muted">{field}:</span>{' '}
          {before !== undefined && (
            <>
              <Value text={before} /> <span aria-hidden="true">→</span>
              <span className="sr-only">became</span>{' '}
            </>
          )}
          <Value text={after} />
        </li>
      ))}
    </ul>
  );
  if (changes.length <= mostShown) return lines(changes);
  return (
    <details>
      <summary className="cursor-pointer text-sm">{changes.length} fields</summary>
      {lines(changes)}
    </details>
  );
}

export default definePage({ Component: HistoryPage });
