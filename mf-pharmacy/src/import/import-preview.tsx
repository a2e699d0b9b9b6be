import { formatShortDate, formatStorePrice, toMinor } from '@clinic/app-kit';
import { Alert, Button } from '@clinic/ui';
import { DataTable, type Column } from '@clinic/ui/tables';
import type { BadField, ImportLine } from '../csv/lines.ts';
import { unitName } from '../medicines/units.ts';
import { BadLines } from './bad-lines.tsx';

/** Good lines shown as examples. */
const shownLines = 5;

export interface ImportPreviewProps {
  readonly good: readonly ImportLine[];
  readonly bad: readonly BadField[];
  /** The file isn't Unicode and was read as Windows-1252. */
  readonly guessed: boolean;
  readonly onStore: () => void;
  readonly onRestart: () => void;
}

/** What an import would do, before it starts. */
export function ImportPreview({ good, bad, guessed, onStore, onRestart }: ImportPreviewProps) {
  const badLines = new Set(bad.map(({ line }) => line)).size;
  // If the encoding was guessed, show the lines with affected letters.
  const special = guessed
    ? good.filter(({ medicine }) => hasSpecialLetters(`${medicine.name}${medicine.manufacturer ?? ''}`))
    : [];
  const examples = special.length > 0 ? special : good;
  const figure = (lines: number) => `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;
  return (
    <div className="grid gap-5">
      {badLines > 0 ? (
        <Alert kind={good.length > 0 ? 'warning' : 'error'} title={`${figure(badLines)} can’t be imported`}>
          {good.length > 0
            ? `${figure(good.length)} can. Nothing has been imported yet.`
            : 'Nothing has been imported.'}
        </Alert>
      ) : (
        <Alert kind="success" title={`${figure(good.length)} can be imported`}>
          Nothing has been imported yet.
        </Alert>
      )}
      {guessed && (
        <Alert kind="warning" title="Check the letters">
          The file isn’t in UTF-8, so we read it as Windows-1252. If accents or other letters look wrong, save it as
          “CSV UTF-8” and choose it again.
        </Alert>
      )}
      {bad.length > 0 && <BadLines bad={bad} title="Problem" />}
      {good.length > 0 && (
        <section className="grid min-w-0 gap-2" aria-label="Example">
          <h3 className="font-semibold">
            {special.length > 0
              ? 'Lines with accents or other letters'
              : good.length > shownLines
                ? `The first ${shownLines} lines to import`
                : 'Lines to import'}
          </h3>
          <DataTable
            caption="Lines to import"
            columns={columns}
            rows={examples.slice(0, shownLines)}
            rowKey={({ line }) => String(line)}
            empty={{ title: 'None' }}
          />
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        {good.length > 0 && (
          <Button
            icon="plus"
            className="max-sm:w-full"
            onClick={onStore}
          >{`Import ${good.length.toLocaleString('en')} ${good.length === 1 ? 'medicine' : 'medicines'}`}</Button>
        )}
        <Button variant="ghost" className="max-sm:w-full" onClick={onRestart}>
          Choose another file
        </Button>
      </div>
    </div>
  );
}

function hasSpecialLetters(text: string): boolean {
  return /[^\p{ASCII}]/u.test(text);
}

const columns: Column<ImportLine>[] = [
  {
    key: 'name',
    header: 'Medicine',
    primary: true,
    cell: ({ medicine: { name, manufacturer, medicineId } }) => (
      <>
        <span className="block">{name}</span>
        <span className="block text-sm font-normal text-muted">
          {[medicineId ?? 'next free number', manufacturer].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    cell: ({ medicine: { quantity, unit } }) => (
      <>
        {Number(quantity).toLocaleString('en')}{' '}
        <span className="text-muted">{unitName(Number(quantity), unit ?? 'box')}</span>
      </>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    align: 'end',
    cell: ({ medicine }) => formatStorePrice(toMinor(Number(medicine.pricePerUnit))),
  },
  { key: 'expiry', header: 'Expiry', cell: ({ medicine }) => formatShortDate(medicine.expiryDate) },
];
