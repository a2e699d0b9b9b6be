import { addDays } from '@clinic/app-kit';
import { orderStatuses, type OrderStatus } from '@clinic/svc-pharmacy/contract/transitions';
import { ListFilter } from '@clinic/ui/list-filters';

interface FilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

const statuses = [
  { value: '', label: 'All Status' },
  ...orderStatuses.map((status) => ({ value: status, label: status === 'pending' ? 'Pending' : status })),
];

/** @returns the status named in the address, if any */
export function readOrderStatus(word: string): OrderStatus | undefined {
  return orderStatuses.find((status) => status === word);
}

export function StatusFilter(props: FilterProps) {
  return <ListFilter {...props} label="Status" className="sm:max-w-60" options={statuses} />;
}

const periods = [
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
  return days !== '' && periods.some(({ value }) => value === days) ? addDays(today, 1 - Number(days)) : undefined;
}

export function PeriodFilter(props: FilterProps) {
  return <ListFilter {...props} label="Ordered" className="sm:max-w-52" options={periods} />;
}

const sizes = [
  { value: '', label: 'All orders' },
  { value: 'true', label: 'Unusually large' },
];

/** @returns the filter named in the address */
export function readUnusual(word: string): 'true' | undefined {
  return word === 'true' ? word : undefined;
}

export function UnusualFilter(props: FilterProps) {
  return <ListFilter {...props} label="Size" className="sm:max-w-52" options={sizes} />;
}
