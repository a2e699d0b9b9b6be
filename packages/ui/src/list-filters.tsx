import { SelectField, TextField, type SelectOption } from '@clinic/ui';

interface ListFilterProps {
  readonly label: string;
  /** Hides the label visually, if the first option explains the choice. */
  readonly hideLabel?: boolean;
  readonly className?: string;
  /** The first one is what the list shows at first. */
  readonly options: readonly SelectOption[];
  /** From the page's address, which may name anything. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A choice of what a list shows. */
export function ListFilter({ options, value = '', onChange, ...field }: ListFilterProps) {
  const values = options.map((option) => (typeof option === 'string' ? option : option.value));
  return (
    <SelectField
      {...field}
      options={options}
      value={values.includes(value) ? value : values[0]}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** What narrows a list, by name, as app-kit's `useListState` keeps them in the page's address. */
interface NamedFilters {
  get(name: string): string;
  set(name: string, value: string): void;
}

const days = [
  ['from', 'From day'],
  ['until', 'Until day'],
] as const;

/** A day in the address, 'yyyy-mm-dd'; empty if it isn't one. */
export const dayIn = (list: Pick<NamedFilters, 'get'>, name: (typeof days)[number][0]): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(list.get(name)) ? list.get(name) : '';

/** The first and the last day of what a list shows, together in one row, whatever wraps. */
export function DaysFilter({ list }: { readonly list: NamedFilters }) {
  return (
    <div className="flex min-w-0 flex-[1_1_20rem] flex-wrap gap-x-4 gap-y-3 *:min-w-0 *:flex-[1_1_9rem] sm:max-w-md">
      {days.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          type="date"
          value={dayIn(list, name)}
          onChange={(event) => list.set(name, event.target.value)}
        />
      ))}
    </div>
  );
}
