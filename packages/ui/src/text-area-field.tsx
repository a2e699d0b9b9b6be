import type { ComponentPropsWithRef } from 'react';
import { Field, splitField, type FieldTexts } from './field.tsx';

export type TextAreaFieldProps = FieldTexts & Omit<ComponentPropsWithRef<'textarea'>, keyof FieldTexts>;

export function TextAreaField({ rows = 4, ...props }: TextAreaFieldProps) {
  const [field, area] = splitField(props);
  return (
    <Field {...field}>
      {(control) => <textarea rows={rows} {...area} {...control} className="textarea ui-control" />}
    </Field>
  );
}
