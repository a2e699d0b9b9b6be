import { Button, Pagination, StatusBadge } from '../../index.ts';
import { PagedTable } from '../../paged-table.tsx';
import { DataTable, RowMenu, type Column } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { longText, nothing } from '../example.ts';

interface Visit {
  readonly id: string;
  readonly patient: string;
  readonly doctor: string;
  readonly when: string;
  readonly status: string;
}

const visits: readonly Visit[] = [
  { id: '1', patient: 'Amina Khatun', doctor: 'Dr. Farhana Siddiqui', when: 'Mon 24 Nov, 09:30', status: 'Pending' },
  { id: '2', patient: 'Jonas Lindqvist', doctor: 'Dr. Peter Hofmann', when: 'Tue 25 Nov, 11:00', status: 'Confirmed' },
  { id: '3', patient: 'Mehjabin Chowdhury', doctor: 'Dr. Mei Tanaka', when: 'Wed 26 Nov, 17:30', status: 'Cancelled' },
];
const longVisits: readonly Visit[] = [
  { id: '4', patient: longText, doctor: longText, when: longText, status: 'Waiting for confirmation' },
];

const plainColumns: readonly Column<Visit>[] = [
  { key: 'patient', header: 'Patient', primary: true, cell: (visit) => visit.patient },
  { key: 'doctor', header: 'Doctor', foldInto: 'patient', cell: (visit) => visit.doctor },
  { key: 'when', header: 'Date and time', cell: (visit) => visit.when },
  { key: 'status', header: 'Status', cell: (visit) => <StatusBadge status={visit.status} /> },
];

/** @param folded - on cards, too */
const withMenu = (folded: boolean): readonly Column<Visit>[] => [
  ...plainColumns,
  {
    key: 'actions',
    header: 'Actions',
    actions: true,
    align: 'end',
    cell: ({ patient }) => (
      <RowMenu folded={folded} label={`More actions for ${patient}`} beside={<Button size="sm">Reschedule</Button>}>
        <Button size="sm" variant="ghost">
          History
        </Button>
      </RowMenu>
    ),
  },
];

const list = { columns: withMenu(false), rowKey: (visit: Visit) => visit.id, empty: { title: 'No appointments yet' } };
const page = {
  rows: visits,
  total: 134,
  loading: false,
  refreshing: false,
  error: undefined,
  from: 1,
  hasNext: true,
  hasPrevious: false,
  next: nothing,
  previous: nothing,
  retry: nothing,
};

const moving = { onPrevious: nothing, onNext: nothing };

/** Many records. */
export const lists = {
  DataTable: {
    Default: () => <DataTable {...list} caption="Appointments" rows={visits} />,
    Loading: () => <DataTable {...list} caption="Appointments, loading" rows={undefined} />,
    'Refreshing: the rows stay': () => <DataTable {...list} caption="Appointments, refreshing" rows={visits} loading />,
    Error: () => (
      <DataTable
        {...list}
        caption="Appointments, not loaded"
        rows={undefined}
        loading={false}
        error="Error loading appointments"
        onRetry={nothing}
      />
    ),
    Empty: () => <DataTable {...list} caption="Appointments, none" rows={[]} />,
    'Long text': () => <DataTable {...list} caption="Appointments, long" rows={longVisits} />,
  },
  PagedTable: {
    Default: () => (
      <PagedTable {...list} caption="All appointments" page={page} rows={visits} failure="Error loading appointments" />
    ),
    Error: () => (
      <PagedTable
        {...list}
        caption="All appointments, not loaded"
        page={{ ...page, rows: [], hasNext: false, error: { message: 'The clinic is unavailable. Try again soon.' } }}
        rows={[]}
        failure="Error loading appointments"
      />
    ),
  },
  RowMenu: {
    Default: () => (
      <RowMenu label="More actions for order #4F09A1" beside={<Button size="sm">Ship</Button>}>
        <Button size="sm" variant="ghost">
          History
        </Button>
        <Button size="sm" variant="ghost">
          Correct details
        </Button>
      </RowMenu>
    ),
    'Stays a menu on cards': () => (
      <DataTable
        {...list}
        caption="Appointments whose further actions fold"
        columns={withMenu(true)}
        rows={visits.slice(0, 1)}
      />
    ),
  },
  Pagination: {
    'First page': () => (
      <Pagination {...moving} label="First page of orders" count={20} total={134} hasPrevious={false} hasNext />
    ),
    'Total unknown': () => (
      <Pagination {...moving} label="Orders without a total" from={21} count={20} hasPrevious hasNext />
    ),
    Busy: () => (
      <Pagination
        {...moving}
        label="Orders, loading"
        from={121}
        count={14}
        total={134}
        hasPrevious
        hasNext={false}
        busy
      />
    ),
  },
} satisfies Examples;
