import { useListState, useLiveLists, usePagedCall } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { appointmentStatuses, type AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import { FilterBar, PageHeader, SearchField, type EmptyStateProps } from '@clinic/ui';
import { ListFilter } from '@clinic/ui/list-filters';
import { noneMatch } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import type { Column } from '@clinic/ui/tables';
import type { ReactNode } from 'react';
import { ChooseSeveral } from '../several/choose-several.tsx';
import { AppointmentDialogs } from '../dialogs/appointment-dialogs.tsx';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';
import { LeaveWhenOver } from './leave-when-over.tsx';
import { ClinicZone } from '../slots/clinic-zone.tsx';
import { isSection, sectionQuery, SectionTabs } from './section-tabs.tsx';
import { daysOf, isSpan, spanOptions } from './spans-of-days.ts';

const statusOptions = [{ value: '', label: 'All statuses' }, ...appointmentStatuses];
const isStatus = (value: string): value is AppointmentStatus => appointmentStatuses.some((status) => status === value);

const sortLabels = { date: 'Earliest first', '-date': 'Latest first' } as const;
type Sort = keyof typeof sortLabels;
const isSort = (value: string): value is Sort => Object.hasOwn(sortLabels, value);

export interface AppointmentListProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Content between heading and filters. */
  readonly above?: ReactNode;
  /** Which list: all appointments of `email` (without it, everybody's), or those waiting for that doctor. */
  readonly of: { readonly everyone: true } | { readonly email: string } | { readonly waitingFor: string };
  readonly columns: readonly Column<Appointment>[];
  /**
   * People's own: coming (soonest on top), past and cancelled appointments in lists of their own, for doctors with a choice of days.
   * Lists of other people's are filtered by status and date instead.
   */
  readonly sections?: 'plain' | 'by day';
  /** Rows can be chosen, to confirm or cancel several at once. */
  readonly several?: boolean;
  /** Shown if there are no appointments at all; a filter without matches has its own message. */
  readonly empty: EmptyStateProps;
}

/** A screen with a list of appointments: search, filter and order in the address, one page at a time. */
export function AppointmentList({
  title,
  description,
  actions,
  above,
  of,
  columns,
  sections,
  several = false,
  empty,
}: AppointmentListProps) {
  const list = useListState();
  const waiting = 'waitingFor' in of;
  const defaultSort: Sort = waiting ? 'date' : '-date';
  const sort = isSort(list.sort) ? list.sort : defaultSort;
  const today = useClinicToday();
  const span = list.get('when');
  const shown = list.get('show');
  const section = isSection(shown) ? shown : 'coming';
  const days = sections !== 'plain' && isSpan(span) && daysOf(span, today);
  const narrowedTo = sections
    ? { ...sectionQuery(section), ...days }
    : {
        sort,
        ...days,
        ...(isStatus(list.status) && { status: list.status }),
        // Nobody waits for an answer about a visit whose time has come.
        ...(waiting && ({ when: 'coming' } as const)),
      };
  const query = { q: list.q || undefined, ...narrowedTo };
  const status = isStatus(list.status) ? list.status : undefined;
  const email = 'email' in of ? of.email : undefined;
  const all = usePagedCall('listAppointments', { ...query, email }, { enabled: !waiting });
  const unconfirmed = usePagedCall(
    'listUnconfirmedAppointments',
    { ...query, email: waiting ? of.waitingFor : '' },
    { enabled: waiting },
  );
  const appointments = waiting ? unconfirmed : all;
  useLiveLists('watchAppointments', appointmentLists);

  const table = (
    <PagedTable
      caption={title}
      page={appointments}
      rows={appointments.rows}
      failure="Error loading appointments"
      pages="Appointments"
      columns={columns}
      rowKey={(appointment) => appointment._id}
      empty={
        sections && !list.q && !days && section !== 'coming'
          ? { title: section === 'past' ? 'No past appointments' : 'No cancelled appointments', icon: 'calendar' }
          : (sections ? list.q || days : list.narrowed)
            ? noneMatch(
                'appointments',
                sections
                  ? 'Try another name, or look among the coming, past and cancelled ones.'
                  : 'Try another name, or choose all statuses and dates.',
                list.clear,
              )
            : empty
      }
    />
  );

  return (
    <AppointmentDialogs>
      {/* The title promises all of them: a section counts its own. */}
      <PageHeader
        title={title}
        {...(!sections && appointments.total !== undefined && { count: appointments.total })}
        description={description}
        actions={actions}
      />
      {above}
      <div className="mb-3 empty:hidden">
        <ClinicZone />
      </div>
      {(waiting || (sections && section === 'coming')) && <LeaveWhenOver appointments={appointments.rows} />}
      {sections && (
        <SectionTabs
          section={section}
          total={appointments.refreshing ? undefined : appointments.total}
          onSection={(next) => list.set('show', next === 'coming' ? '' : next)}
        />
      )}
      <FilterBar label="Filter the appointments">
        <SearchField
          label="Search appointments"
          placeholder="Name or email"
          value={list.text}
          onChange={list.setText}
        />
        {!waiting && !sections && (
          <ListFilter label="Status" hideLabel options={statusOptions} value={status} onChange={list.setStatus} />
        )}
        {sections !== 'plain' && (
          <ListFilter
            label="Date"
            hideLabel
            options={spanOptions}
            value={span}
            onChange={(when) => list.set('when', when)}
          />
        )}
        {!sections && (
          <ListFilter
            label="Order"
            hideLabel
            options={Object.entries(sortLabels).map(([value, label]) => ({ value, label }))}
            value={sort}
            onChange={(chosen) => list.setSort(chosen === defaultSort ? '' : chosen)}
          />
        )}
      </FilterBar>
      {several ? <ChooseSeveral rows={appointments.rows}>{table}</ChooseSeveral> : table}
    </AppointmentDialogs>
  );
}
