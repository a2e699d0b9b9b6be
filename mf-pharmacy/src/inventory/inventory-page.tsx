import { definePage, Link } from '@clinic/app-kit';
import { useListState, useLiveLists, usePagedCall, type ListState } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { medicineStatuses, nearExpiryDays, type MedicineStatus } from '@clinic/contracts';
import { Button, ButtonLink, FilterBar, PageHeader, SearchField, SelectField } from '@clinic/ui';
import { PagedTable } from '@clinic/ui/paged-table';
import { RowMenu, type Column } from '@clinic/ui/tables';
import { useState } from 'react';
import { ExportButton } from '../csv/export-button.tsx';
import { exportMedicines } from '../csv/export-lists.ts';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { readMedicine, statusLabels, type Medicine } from '../medicines/medicine.ts';
import { EditDialog } from './edit-dialog.tsx';
import { medicineColumns } from './inventory-columns.tsx';
import { RestockDialog } from './restock-dialog.tsx';
import '../setup.ts';

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

type DialogName = 'restock' | 'edit' | 'history';

/** Medicine Inventory (`/dash/medicine`): all medicines, restocked and edited in place. */
export function InventoryPage() {
  const list = useListState();
  const today = useClinicToday();
  const query = queryOf(list);
  const medicines = usePagedCall('listMedicines', query);
  useLiveLists('watchPharmacy', ['listMedicines']);
  const [open, setOpen] = useState<{ readonly dialog: DialogName; readonly medicine: Medicine }>();
  const close = () => setOpen(undefined);

  const columns = [...medicineColumns(today), actionsColumn((dialog, medicine) => setOpen({ dialog, medicine }))];
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
        rows={medicines.rows.map(readMedicine)}
        failure="Error loading medicines"
        pages="Pages of medicines"
        columns={columns}
        rowKey={({ id }) => id}
        cardsBelow="lg"
        empty={
          list.narrowed
            ? {
                title: 'No medicines match',
                text: 'Try another name, status or expiry.',
                action: (
                  <Button variant="soft" onClick={list.clear}>
                    Show all medicines
                  </Button>
                ),
              }
            : {
                title: 'The inventory is empty',
                text: 'Add a medicine to show it in the store.',
                icon: 'pill',
                action: add,
              }
        }
      />
      {open?.dialog === 'restock' && <RestockDialog medicine={open.medicine} onClose={close} />}
      {open?.dialog === 'history' && (
        <HistoryDialog
          title={`History of ${open.medicine.name}`}
          call="getMedicineHistory"
          id={open.medicine.id}
          onClose={close}
        />
      )}
      {open?.dialog === 'edit' && <EditDialog medicine={open.medicine} today={today} onClose={close} />}
    </>
  );
}

function queryOf(list: ListState) {
  const status = readMedicineStatus(list.status);
  const sort = sortOptions.find(({ value }) => value === list.sort)?.value;
  const expiry = readExpiry(list.get('expiry'));
  return { q: list.q, status, expiry, sort };
}

function Filters({ list, query }: { readonly list: ListState; readonly query: ReturnType<typeof queryOf> }) {
  return (
    <FilterBar label="Filter the inventory">
      <SearchField
        label="Search medicines"
        placeholder="Search by medicine name or manufacturer…"
        value={list.text}
        onChange={list.setText}
      />
      <SelectField
        label="Status"
        options={statusOptions}
        value={query.status ?? ''}
        onChange={(event) => list.setStatus(event.target.value)}
      />
      <SelectField
        label="Expiry"
        options={expiryOptions}
        value={query.expiry ?? ''}
        onChange={(event) => list.set('expiry', event.target.value)}
      />
      <SelectField
        label="Sort by"
        options={sortOptions}
        value={query.sort ?? (query.expiry ? 'expiry' : 'name')}
        onChange={(event) => list.setSort(event.target.value)}
      />
    </FilterBar>
  );
}

function actionsColumn(onOpen: (dialog: DialogName, medicine: Medicine) => void): Column<Medicine> {
  return {
    key: 'actions',
    header: 'Actions',
    actions: true,
    align: 'end',
    cell: (medicine) => (
      <span className="inline-flex flex-wrap gap-1 lg:flex-nowrap lg:justify-end">
        <Button
          size="sm"
          variant="soft"
          aria-label={`Restock ${medicine.name}`}
          onClick={() => onOpen('restock', medicine)}
        >
          Restock
        </Button>
        <RowMenu
          label={`More actions: ${medicine.name}`}
          beside={
            <>
              <Button
                size="sm"
                variant="ghost"
                icon="edit"
                aria-label={`Edit ${medicine.name}`}
                onClick={() => onOpen('edit', medicine)}
              >
                Edit
              </Button>
              <Button
                size="sm"
                variant="ghost"
                icon="clock"
                aria-label={`History of ${medicine.name}`}
                onClick={() => onOpen('history', medicine)}
              >
                History
              </Button>
            </>
          }
        />
      </span>
    ),
  };
}

function readExpiry(word: string): 'soon' | 'expired' | undefined {
  return word === 'soon' || word === 'expired' ? word : undefined;
}

function readMedicineStatus(word: string): MedicineStatus | undefined {
  return medicineStatuses.find((status) => status === word);
}

export default definePage({ Component: InventoryPage });
