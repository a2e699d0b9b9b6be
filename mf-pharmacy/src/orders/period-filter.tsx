import { addDays } from '@clinic/app-kit';
import { SelectField } from '@clinic/ui';

const options = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];

/**
 * @param days - the period as named in the address
 * @param today - the clinic's date, 'yyyy-mm-dd'
 * @returns its first day; `undefined` if the address names none
 */
export function firstDayOf(days: string, today: string): string | undefined {
  return days !== '' && options.some(({ value }) => value === days) ? addDays(today, 1 - Number(days)) : undefined;
}

export function PeriodFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (days: string) => void;
}) {
  return (
    <SelectField
      label="Ordered"
      className="sm:max-w-52"
      options={options}
      value={options.some((option) => option.value === value) ? value : ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
