import { orderStatuses, type OrderStatus } from '@clinic/contracts';
import { SelectField } from '@clinic/ui';

const options = [
  { value: '', label: 'All Status' },
  ...orderStatuses.map((status) => ({ value: status, label: status === 'pending' ? 'Pending' : status })),
];

/** @returns the status named in the address, if any */
export function readOrderStatus(word: string): OrderStatus | undefined {
  return orderStatuses.find((status) => status === word);
}

export function StatusFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (status: string) => void;
}) {
  return (
    <SelectField
      label="Status"
      className="sm:max-w-60"
      options={options}
      value={readOrderStatus(value) ?? ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
