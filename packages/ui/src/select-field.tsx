import type { ComponentPropsWithRef } from 'react';
import { Field, splitField, type FieldTexts } from './field.tsx';

/** An option; a plain string is its own label. */
export type SelectOption = string | { readonly value: string; readonly label: string; readonly disabled?: boolean };

export type SelectFieldProps = FieldTexts &
  Omit<ComponentPropsWithRef<'select'>, keyof FieldTexts> & {
    readonly options: readonly SelectOption[];
    /** Shown while nothing is chosen; can't be chosen itself. */
    readonly placeholder?: string;
  };

/** A native select. */
export function SelectField({ options, placeholder, ...props }: SelectFieldProps) {
  const [field, select] = splitField(props);
  return (
    <Field {...field}>
      {(control) => (
        <select {...select} {...control} className="select ui-control">
          {placeholder !== undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map((option) => {
            const { value, label, ...more } = typeof option === 'string' ? { value: option, label: option } : option;
            return (
              <option key={value} value={value} {...more}>
                {label}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}
