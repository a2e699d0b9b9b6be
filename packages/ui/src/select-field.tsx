import type { ComponentPropsWithRef } from 'react';
import { Field, type FieldTexts } from './field.tsx';

/** An option; a plain string is its own label. */
export type SelectOption = string | { readonly value: string; readonly label: string; readonly disabled?: boolean };

export type SelectFieldProps = FieldTexts &
  Omit<ComponentPropsWithRef<'select'>, keyof FieldTexts> & {
    readonly options: readonly SelectOption[];
    /** Shown while nothing is chosen; can't be chosen itself. */
    readonly placeholder?: string;
  };

/** A native select. */
export function SelectField({
  label,
  hideLabel,
  hint,
  error,
  className,
  id,
  required,
  options,
  placeholder,
  ...select
}: SelectFieldProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, className, id, required }}>
      {(control) => (
        <select {...select} {...control} aria-required={required} className="select ui-control">
          {placeholder !== undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map((option) => {
            const {
              value,
              label: text,
              disabled,
            } = typeof option === 'string' ? { value: option, label: option, disabled: false } : option;
            return (
              <option key={value} value={value} disabled={disabled}>
                {text}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}
