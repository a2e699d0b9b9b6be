import type { ComponentPropsWithRef } from 'react';
import { Field, type FieldTexts } from './field.tsx';

export type TextAreaFieldProps = FieldTexts & Omit<ComponentPropsWithRef<'textarea'>, keyof FieldTexts>;

export function TextAreaField({
  label,
  hideLabel,
  hint,
  error,
  className,
  id,
  required,
  rows = 4,
  ...area
}: TextAreaFieldProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, className, id, required }}>
      {(control) => (
        <textarea rows={rows} {...area} {...control} aria-required={required} className="textarea ui-control" />
      )}
    </Field>
  );
}
