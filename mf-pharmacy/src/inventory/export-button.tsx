import { api, ApiProblem, notify, type CallArguments } from '@clinic/app-kit';
import { clinicToday } from '@clinic/app-kit/clinic-today';
import { Button } from '@clinic/ui';
import { saveFile } from '@clinic/ui/save-file';
import { useState } from 'react';
import { readMedicine } from '../medicines/medicine.ts';

type Query = NonNullable<NonNullable<CallArguments<'listMedicines'>[0]>['query']>;

export interface ExportButtonProps {
  /** The list's current filters. */
  readonly query: Query;
}

/** Exports the inventory, as filtered, to a CSV file. */
export function ExportButton({ query }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const [records, { writeCsv }] = await Promise.all([
        api.call('listMedicines', { query }),
        import(/* webpackChunkName: "csv" */ '../csv/write-csv.ts'),
      ]);
      saveFile(writeCsv(records.map(readMedicine)), `medicines-${clinicToday()}.csv`, 'text/csv');
      notify.success(
        `${records.length.toLocaleString('en')} ${records.length === 1 ? 'medicine is' : 'medicines are'} in the file.`,
      );
    } catch (error) {
      console.error('The export failed', error);
      notify.error('The inventory could not be exported', error instanceof ApiProblem ? error.message : undefined);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button variant="secondary" busy={busy} onClick={() => void save()}>
      Export CSV
    </Button>
  );
}
