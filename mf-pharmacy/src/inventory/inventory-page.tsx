import { definePage, Link } from '@clinic/app-kit';
import { useListState, useLiveLists, usePagedCall } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { medicineStatuses, nearExpiryDays, type MedicineStatus } from '@clinic/contracts';
import { Button, ButtonLink, FilterBar, PageHeader, Pagination, SearchField, SelectField } from '@clinic/ui';
import { DataTable, RowMenu, type Column } from '@clinic/ui/tables';
import { useState } from 'react';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { readMedicine, statusLabels, type Medicine } from '../medicines/medicine.ts';
import { EditDialog } from './edit-dialog.tsx';
import { ExportButton } from './export-button.tsx';
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

/** Medicine Inventory (`/dash/medicine`): all medicines, restocked and edited in place. */
export function InventoryPage() {
  const list = useListState();
  const today = useClinicToday();
  const status = readMedicineStatus(list.status);
  const sort = sortOptions.find(({ value }) => value === list.sort)?.value;
  const expiry = readExpiry(list.get('expiry'));
  const query = { q: list.q, status, expiry, sort };
  const { rows, total, loading, refreshing, error, retry, ...pages } = usePagedCall('listMedicines', query);
  useLiveLists('watchPharmacy', ['listMedicines']);
  const [open, setOpen] = useState<{ readonly dialog: 'restock' | 'edit' | 'history'; readonly medicine: Medicine }>();
  const close = () => setOpen(undefined);

  const columns: Column<Medicine>[] = [
    ...medicineColumns(today),
    {
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
            onClick={() => setOpen({ dialog: 'restock', medicine })}
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
                  onClick={() => setOpen({ dialog: 'edit', medicine })}
                >
                  Edit
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  icon="clock"
                  aria-label={`History of ${medicine.name}`}
                  onClick={() => setOpen({ dialog: 'history', medicine })}
                >
                  History
                </Button>
              </>
            }
          />
        </span>
      ),
    },
  ];
  const add = (
    <ButtonLink component={Link} to="/dash/addmedicine" icon="plus">
      Add Medicine
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Medicine Inventory"
        count={total}
        actions={
          <>
            <ExportButton query={query} />
            <ButtonLink component={Link} to="/dash/addmedicine#import" variant="secondary">
              Import CSV
            </ButtonLink>
            {add}
          </>
        }
      />
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
          value={status ?? ''}
          onChange={(event) => list.setStatus(event.target.value)}
        />
        <SelectField
          label="Expiry"
          options={expiryOptions}
          value={expiry ?? ''}
          onChange={(event) => list.set('expiry', event.target.value)}
        />
        <SelectField
          label="Sort by"
          options={sortOptions}
          value={sort ?? (expiry ? 'expiry' : 'name')}
          onChange={(event) => list.setSort(event.target.value)}
        />
      </FilterBar>
      {total !== undefined && <p className="mb-3 text-sm text-muted">Total medicines: {total.toLocaleString('en')}</p>}
      <DataTable
        caption="Medicine Inventory"
        columns={columns}
        rows={loading ? undefined : rows.map(readMedicine)}
        rowKey={({ id }) => id}
        cardsBelow="lg"
        loading={loading || refreshing}
        error={error && 'Error loading medicines'}
        errorText={error?.message}
        onRetry={retry}
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
      <Pagination
        {...pages}
        label="Pages of medicines"
        count={rows.length}
        total={total}
        busy={refreshing}
        onPrevious={pages.previous}
        onNext={pages.next}
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

function readExpiry(word: string): 'soon' | 'expired' | undefined {
  return word === 'soon' || word === 'expired' ? word : undefined;
}

function readMedicineStatus(word: string): MedicineStatus | undefined {
  return medicineStatuses.find((status) => status === word);
}

export default definePage({ Component: InventoryPage });
