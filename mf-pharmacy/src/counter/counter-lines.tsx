import { formatOrderTotal, useCall } from '@clinic/app-kit';
import { Button, ErrorState, NumberField, SearchField } from '@clinic/ui';
import { useDeferredValue, useState } from 'react';
import { distinctNames } from '../medicines/distinct-names.ts';
import { isExpired, readMedicine, type Medicine } from '../medicines/medicine.ts';
import { amountOf } from '../medicines/units.ts';

/** A medicine of a counter order. */
export interface CounterLine {
  readonly medicine: Medicine;
  readonly quantity: number;
}

/** Medicines offered for one search. */
const offered = 6;

export interface CounterLinesProps {
  readonly lines: readonly CounterLine[];
  readonly onChange: (lines: readonly CounterLine[]) => void;
  /** Most units of one medicine. */
  readonly most: number;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
}

/** Finds medicines by name, and sets how many of each. */
export function CounterLines({ lines, onChange, most, today }: CounterLinesProps) {
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const found = useCall('listMedicines', { query: { q, limit: offered } }, { enabled: q !== '' });
  const offers = (q === '' ? [] : (found.data ?? []))
    .map(readMedicine)
    .filter(({ id }) => lines.every(({ medicine }) => medicine.id !== id));
  const labels = distinctNames([...offers, ...lines.map(({ medicine }) => medicine)]);
  const labelOf = ({ medicineId, name }: Medicine): string => labels.get(medicineId) ?? name;
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-2 font-semibold">Medicines</legend>
      <SearchField label="Find a medicine" placeholder="Medicine name" value={text} onChange={setText} />
      {offers.length > 0 && (
        <ul aria-label="Medicines found" className="divide-y divide-line border-y border-line">
          {offers.map((medicine) => {
            const obstacle = isExpired(medicine, today) ? 'Expired' : medicine.quantity === 0 ? 'Out of stock' : '';
            return (
              <li key={medicine.id} className="flex items-center justify-between gap-3 py-2">
                <span className="min-w-0">
                  <span className="block wrap-anywhere">{labelOf(medicine)}</span>
                  <span className="block text-sm text-muted">
                    {obstacle || `${amountOf(medicine.quantity, medicine.unit)} in stock`}
                    {medicine.prescriptionOnly && ' · Prescription only'}
                  </span>
                </span>
                <Button
                  size="sm"
                  variant="soft"
                  icon="plus"
                  disabled={obstacle !== ''}
                  aria-label={`Add ${labelOf(medicine)}`}
                  onClick={() => {
                    onChange([...lines, { medicine, quantity: 1 }]);
                    setText('');
                  }}
                >
                  Add
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {q !== '' && found.error && !found.data && (
        <ErrorState title="Error loading medicines" text={found.error.message} onRetry={() => void found.refetch()} />
      )}
      {q !== '' && found.data?.length === 0 && <p className="text-muted">No medicine has this name.</p>}
      {lines.length > 0 && (
        <ul aria-label="Medicines in this order" className="grid gap-4">
          {lines.map(({ medicine, quantity }) => (
            <li key={medicine.id} className="flex flex-wrap items-end justify-between gap-3">
              <UnitsField
                medicine={medicine}
                label={labelOf(medicine)}
                quantity={quantity}
                most={most}
                onUnits={(units) =>
                  onChange(
                    lines.map((line) => (line.medicine.id === medicine.id ? { ...line, quantity: units } : line)),
                  )
                }
              />
              <Button
                size="sm"
                variant="ghost"
                icon="trash"
                aria-label={`Remove ${labelOf(medicine)}`}
                onClick={() => onChange(lines.filter((line) => line.medicine.id !== medicine.id))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface UnitsFieldProps extends CounterLine {
  /** Its name, told apart from others in the order. */
  readonly label: string;
  readonly most: number;
  readonly onUnits: (units: number) => void;
}

/** How many units, as typed; what isn't a number from 1 on is put back when the field is left. */
function UnitsField({ medicine, label, quantity, most, onUnits }: UnitsFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <NumberField
      className="min-w-0 grow"
      label={`${label} (${medicine.unit})`}
      min={1}
      max={Math.min(most, medicine.quantity)}
      value={typed ?? quantity}
      hint={[medicine.manufacturer, `${formatOrderTotal(medicine.priceMinor)} each`].filter(Boolean).join(' · ')}
      onChange={({ target }) => {
        setTyped(target.value);
        const units = Math.trunc(Number(target.value));
        if (units >= 1) onUnits(Math.min(most, units));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
