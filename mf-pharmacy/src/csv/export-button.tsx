import { ApiProblem, notify } from '@clinic/app-kit';
import { clinicToday } from '@clinic/app-kit/clinic-today';
import { Button } from '@clinic/ui';
import { saveFile } from '@clinic/ui/save-file';
import { useState } from 'react';

export interface ExportButtonProps {
  /** What the file has, for one and for many, e.g. 'medicine' and 'medicines'; its name begins with the latter. */
  readonly of: readonly [one: string, many: string];
  /** Reads the list, as filtered, and writes the file. */
  readonly write: () => Promise<{ readonly text: string; readonly rows: number }>;
}

/** Exports a list to a CSV file. */
export function ExportButton({ of: [one, many], write }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const { text, rows } = await write();
      saveFile(text, `${many}-${clinicToday()}.csv`, 'text/csv');
      notify.success(`${rows.toLocaleString('en')} ${rows === 1 ? `${one} is` : `${many} are`} in the file.`);
    } catch (error) {
      console.error('The export failed', error);
      notify.error(`The ${many} could not be exported`, error instanceof ApiProblem ? error.message : undefined);
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
