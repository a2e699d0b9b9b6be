import { formatShortDate, formatStorePrice, Link, useConfig, useListState, usePagedCall } from '@clinic/app-kit';
import { medicineStatuses, type MedicineStatus } from '@clinic/contracts';
import { Button, ButtonLink, DataTable, FilterBar, PageHeader, Pagination, SearchField, SelectField, StatusBadge, type Column } from '@clinic/ui';
import { useState } from 'react';
import { HistoryButton } from '../history/history-button.tsx';
import { clinicToday, isExpired, readMedicine, statusLabels, type Medicine } from '../medicines/medicine.ts';
import { EditDialog } from './edit-dialog.tsx';
import { RestockDialog } from './restock-dialog.tsx';

const statusOptions = [
  { value: '', label: 'All Status' },
  ...(['in stock', 'out of stock', 'low stock'] as const).map((status) => ({ value: status, label: statusLabels[status] })),
];
const sortOptions = [
  { value: '', label: 'Name' },
  { value: 'expiry', label: 'Expires first' },
  { value: 'stock', label: 'Least in stock' },
];

/** Medicine Inventory (`/dash/medicine`): what the pharmacy has, restocked and edited in place (specification section 2). */
export function InventoryPage() {
  const list = useListState();
  const today = clinicToday(useConfig().clinicTimeZone);
  const status = readMedicineStatus(list.status);
  const sort = sortOptions.some(({ value }) => value === list.sort) && list.sort !== '' ? list.sort : undefined;
  const { rows, total, loading, refreshing, error, retry, ...pages } = usePagedCall('listMedicines', { q: list.q, status, sort });
  const [open, setOpen] = useState<{ readonly dialog: 'restock' | 'edit'; readonly medicine: Medicine }>();
  const close = () => setOpen(undefined);

  const columns: Column<Medicine>[] = [
    ...medicineColumns(today),
    {
      key: 'actions', header: 'Actions', actions: true, align: 'end',
      cell: (medicine) => (
        <span className="inline-flex flex-wrap gap-1 lg:justify-end xl:flex-nowrap">
          <Button size="sm" variant="soft" aria-label={`Restock ${medicine.name}`} onClick={() => setOpen({ dialog: 'restock', medicine })}>Restock</Button>
          <Button size="sm" variant="ghost" icon="edit" className="md:px-2" aria-label={`Edit ${medicine.name}`} onClick={() => setOpen({ dialog: 'edit', medicine })}><span className="md:sr-only">Edit</span></Button>
          <HistoryButton of={medicine.name} call="getMedicineHistory" id={medicine.id} />
        </span>
      ),
    },
  ];
  const add = <ButtonLink component={Link} to="/dash/addmedicine" icon="plus">Add Medicine</ButtonLink>;
  return (
    <>
      <PageHeader title="Medicine Inventory" count={total} actions={add} />
      <FilterBar label="Filter the inventory">
        <SearchField label="Search medicines" placeholder="Search by medicine name or manufacturer…" value={list.text} onChange={list.setText} />
        <SelectField label="Status" options={statusOptions} value={status ?? ''} onChange={(event) => list.setStatus(event.target.value)} />
        <SelectField label="Sort by" options={sortOptions} value={sort ?? ''} onChange={(event) => list.setSort(event.target.value)} />
      </FilterBar>
      {total !== undefined && <p className="mb-3 text-sm text-muted">Total medicines: {total.toLocaleString('en')}</p>}
      <DataTable
        caption="Medicine Inventory" columns={columns} rows={loading ? undefined : rows.map(readMedicine)} rowKey={({ id }) => id} cardsBelow="lg"
        loading={loading || refreshing} error={error && 'Error loading medicines'} errorText={error?.message} onRetry={retry}
        empty={list.narrowed
          ? { title: 'No medicine matches', text: 'Try another name or status.', action: <Button variant="soft" onClick={list.clear}>Show all medicines</Button> }
          : { title: 'The inventory is empty', text: 'Add the first medicine, and it is in the store at once.', icon: 'pill', action: add }}
      />
      <Pagination {...pages} label="Pages of medicines" count={rows.length} total={total} busy={refreshing} onPrevious={pages.previous} onNext={pages.next} />
      {open?.dialog === 'restock' && <RestockDialog medicine={open.medicine} onClose={close} />}
      {open?.dialog === 'edit' && <EditDialog medicine={open.medicine} today={today} onClose={close} />}
    </>
  );
}

function medicineColumns(today: string): Column<Medicine>[] {
  return [
    {
      key: 'name', header: 'Medicine', primary: true,
      cell: ({ name, manufacturer, medicineId }) => (
        <>
          <span className="block min-w-32">{name}</span>
          <span className="block text-sm font-normal text-muted">{medicineId}{manufacturer && ` · ${manufacturer}`}</span>
        </>
      ),
    },
    { key: 'quantity', header: 'Quantity', align: 'end', cell: ({ quantity, unit }) => <span className="xl:whitespace-nowrap">{quantity.toLocaleString('en')} <span className="text-muted">{unit}</span></span> },
    { key: 'price', header: 'Price', align: 'end', cell: ({ priceMinor }) => formatStorePrice(priceMinor) },
    {
      key: 'expiry', header: 'Expiry', cell: (medicine) => (
        <span className="xl:whitespace-nowrap">
          {formatShortDate(medicine.expiryDate)}
          {isExpired(medicine, today) && <span className="ui-error block">Expired</span>}
        </span>
      ),
    },
    { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={statusLabels[status]} /> },
  ];
}

function readMedicineStatus(word: string): MedicineStatus | undefined {
  return medicineStatuses.find((status) => status === word);
}
