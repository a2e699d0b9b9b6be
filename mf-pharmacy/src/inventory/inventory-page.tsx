import { definePage, Link } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { useListState, useLiveLists, usePagedCall, type ListState } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { nearExpiryDays } from '@clinic/svc-pharmacy/contract/limits';
import { medicineStatuses, type MedicineStatus } from '@clinic/svc-pharmacy/contract/transitions';
import { ButtonLink, FilterBar, PageHeader, SearchField } from '@clinic/ui';
import { ListFilter } from '@clinic/ui/list-filters';
import { actionsColumn, noneMatch } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import type { Column } from '@clinic/ui/tables';
import { useMemo, useState } from 'react';
import { ExportButton } from '../csv/export-button.tsx';
import { exportMedicines } from '../csv/export-lists.ts';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { readMedicine, statusLabels, type Medicine } from '../medicines/medicine.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { ArchiveDialog } from './archive-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { medicineColumns } from './inventory-columns.tsx';
import { MedicineActions, type MedicineDialog } from './medicine-actions.tsx';
import { MovementsDialog } from './movements-dialog.tsx';
import { RestockDialog } from './restock-dialog.tsx';
import '../setup.ts';
import '../staff-calls.ts';

const statusOptions = [
  { value: '', label: 'All Status' },
  ...(['in stock', 'out of stock', 'low stock'] as const).map((status) => ({
    value: status,
    label: statusLabels[status],
  })),
];
const expiryOptions = [
  { value: '', label: 'Any expiry' },
  { value: 'soon', label: `Within ${nearExpiryDays} days` },
  { value: 'expired', label: 'Expired' },
];
const shelfOptions = [
  { value: '', label: 'In use' },
  { value: 'true', label: 'Archived' },
];
const sortOptions = [
  { value: 'name', label: 'Name' },
  { value: 'expiry', label: 'Expires first' },
  { value: 'stock', label: 'Least in stock' },
];

const add = (
  <ButtonLink component={Link} to="/dash/addmedicine" icon="plus">
    Add Medicine
  </ButtonLink>
);

/** Medicine Inventory (`/dash/medicine`): all medicines, restocked and edited in place. */
export function InventoryPage() {
  const list = useListState();
  const today = useClinicToday();
  const query = queryOf(list);
  const medicines = usePagedCall('listMedicines', query);
  useLiveLists('watchPharmacy', ['listMedicines']);
  const rows = useMemo(() => medicines.rows.map(readMedicine), [medicines.rows]);
  const [opened, open] = useOpened(rows, ({ id }) => id);
  const [dialog, setDialog] = useState<MedicineDialog>('history');

  const columns: Column<Medicine>[] = [
    ...medicineColumns(today),
    actionsColumn((row) => (
      <MedicineActions
        medicine={row}
        today={today}
        onOpen={(chosen) => {
          setDialog(chosen);
          open(row);
        }}
      />
    )),
  ];
  return (
    <>
      <PageHeader
        title="Medicine Inventory"
        count={medicines.total}
        actions={
          <>
            <ExportButton of={['medicine', 'medicines']} write={() => exportMedicines(query)} />
            <ButtonLink component={Link} to="/dash/addmedicine#import" variant="secondary">
              Import CSV
            </ButtonLink>
            {add}
          </>
        }
      />
      <Filters list={list} query={query} />
      {medicines.total !== undefined && (
        <p className="mb-3 text-sm text-muted">Total medicines: {medicines.total.toLocaleString('en')}</p>
      )}
      <PagedTable
        caption="Medicine Inventory"
        page={medicines}
        rows={rows}
        failure="Error loading medicines"
        pages="Pages of medicines"
        columns={columns}
        rowKey={({ id }) => id}
        cardsBelow="lg"
        empty={
          list.narrowed
            ? noneMatch('medicines', 'Try another name, status or expiry.', list.clear)
            : {
                title: 'The inventory is empty',
                text: 'Add a medicine to show it in the store.',
                icon: 'pill',
                action: add,
              }
        }
      />
      {opened && <OpenDialog dialog={dialog} medicine={opened} today={today} onClose={() => open()} />}
    </>
  );
}

interface OpenDialogProps {
  readonly dialog: MedicineDialog;
  readonly medicine: Medicine;
  readonly today: string;
  readonly onClose: () => void;
}

function OpenDialog({ dialog, medicine, today, onClose }: OpenDialogProps) {
  switch (dialog) {
    case 'restock':
      return <RestockDialog medicine={medicine} onClose={onClose} />;
    case 'adjust':
      return <AdjustDialog medicine={medicine} onClose={onClose} />;
    case 'write off':
      return <AdjustDialog medicine={medicine} reason="expired" onClose={onClose} />;
    case 'movements':
      return <MovementsDialog medicine={medicine} onClose={onClose} />;
    case 'edit':
      return <EditDialog medicine={medicine} today={today} onClose={onClose} />;
    case 'archive':
      return <ArchiveDialog medicine={medicine} onClose={onClose} />;
    case 'history':
      return (
        <HistoryDialog
          title={`History of ${medicine.name}`}
          call="getMedicineHistory"
          id={medicine.id}
          onClose={onClose}
        />
      );
  }
}

function queryOf(list: ListState) {
  const status = readMedicineStatus(list.status);
  const sort = sortOptions.find(({ value }) => value === list.sort)?.value;
  const expiry = readExpiry(list.get('expiry'));
  const archived = list.get('archived') === 'true' ? ('true' as const) : undefined;
  return { q: list.q, status, expiry, archived, sort };
}

function Filters({ list, query }: { readonly list: ListState; readonly query: ReturnType<typeof queryOf> }) {
  return (
    <FilterBar label="Filter the inventory">
      <SearchField
        label="Search medicines"
        placeholder="Name or manufacturer"
        value={list.text}
        onChange={list.setText}
      />
      <ListFilter label="Status" options={statusOptions} value={query.status} onChange={list.setStatus} />
      <ListFilter
        label="Expiry"
        options={expiryOptions}
        value={query.expiry}
        onChange={(value) => list.set('expiry', value)}
      />
      <ListFilter
        label="Show"
        options={shelfOptions}
        value={query.archived}
        onChange={(value) => list.set('archived', value)}
      />
      <ListFilter
        label="Sort by"
        options={sortOptions}
        value={query.sort ?? (query.expiry ? 'expiry' : 'name')}
        onChange={list.setSort}
      />
    </FilterBar>
  );
}

function readExpiry(word: string): 'soon' | 'expired' | undefined {
  return word === 'soon' || word === 'expired' ? word : undefined;
}

function readMedicineStatus(word: string): MedicineStatus | undefined {
  return medicineStatuses.find((status) => status === word);
}

export default definePage({ Component: InventoryPage });
