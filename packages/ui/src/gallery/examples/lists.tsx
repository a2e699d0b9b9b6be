import { Button, Pagination, StatusBadge } from '../../index.ts';
import { DataTable, RowMenu, type Column } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { longText, nothing } from '../example.ts';

interface Visit {
  readonly patient: string;
  readonly doctor: string;
  readonly when: string;
  readonly status: string;
}

const visits: readonly Visit[] = [
  { patient: 'Amina Khatun', doctor: 'Dr. Farhana Siddiqui', when: 'Mon 24 Nov, 09:30', status: 'Pending' },
  { patient: 'Jonas Lindqvist', doctor: 'Dr. Peter Hofmann', when: 'Tue 25 Nov, 11:00', status: 'Confirmed' },
];
const longVisits: readonly Visit[] = [
  { patient: longText, doctor: longText, when: longText, status: 'Waiting for confirmation' },
];

/** @param folded - also on cards */
const menuFor = (patient: string, folded: boolean) => (
  <RowMenu folded={folded} label={`More actions for ${patient}`} beside={<Button size="sm">Reschedule</Button>}>
    <Button size="sm" variant="ghost">
      History
    </Button>
  </RowMenu>
);

const columns = (folded = false): readonly Column<Visit>[] => [
  { key: 'patient', header: 'Patient', primary: true, cell: ({ patient }) => patient },
  { key: 'doctor', header: 'Doctor', foldInto: 'patient', cell: ({ doctor }) => doctor },
  { key: 'when', header: 'Date and time', cell: ({ when }) => when },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'actions', header: 'Actions', actions: true, align: 'end', cell: ({ patient }) => menuFor(patient, folded) },
];

const list = { columns: columns(), rowKey: ({ patient }: Visit) => patient, empty: { title: 'No appointments yet' } };
const error = 'Error loading appointments';
const moving = { onPrevious: nothing, onNext: nothing, hasPrevious: true, hasNext: false };

/** Many records. */
export const lists = {
  DataTable: {
    Default: () => <DataTable {...list} caption="Appointments" rows={visits} />,
    Loading: () => <DataTable {...list} caption="Appointments, loading" rows={undefined} />,
    'Refreshing: the rows stay': () => <DataTable {...list} caption="Appointments, refreshing" rows={visits} loading />,
    Error: () => (
      <DataTable {...list} caption="Not loaded" rows={undefined} loading={false} error={error} onRetry={nothing} />
    ),
    Empty: () => <DataTable {...list} caption="Appointments, none" rows={[]} />,
    'Long text': () => <DataTable {...list} caption="Appointments, long" rows={longVisits} />,
  },
  RowMenu: {
    Default: () => menuFor('Mei Tanaka', false),
    'Stays a menu on cards': () => <DataTable {...list} caption="Folded" columns={columns(true)} rows={visits} />,
  },
  Pagination: {
    'Total unknown': () => <Pagination {...moving} label="Orders without a total" from={21} count={20} hasNext />,
    Busy: () => <Pagination {...moving} label="Orders, loading" from={121} count={14} total={134} busy />,
  },
} satisfies Examples;
