import { SelectField } from '@clinic/ui';

const options = [
  { value: '', label: 'All orders' },
  { value: 'true', label: 'Unusually large' },
];

/** @returns the filter named in the address */
export function readUnusual(word: string): 'true' | undefined {
  return word === 'true' ? word : undefined;
}

export function UnusualFilter({
  value,
  onChange,
}: {
  readonly value: 'true' | undefined;
  readonly onChange: (value: string) => void;
}) {
  return (
    <SelectField
      label="Size"
      className="sm:max-w-52"
      options={options}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
