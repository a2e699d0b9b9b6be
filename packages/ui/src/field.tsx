import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** What every form field takes beside its element's own attributes. */
export interface FieldTexts {
  readonly label: string;
  /** Keeps the label for screen readers only, where the place says what the field is. */
  readonly hideLabel?: boolean;
  /** Said below the field, before something went wrong. */
  readonly hint?: ReactNode;
  /** The validation message; marks the field invalid. */
  readonly error?: string;
  /** Classes of the whole field: its place in a layout. */
  readonly className?: string;
}

interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps extends FieldTexts {
  readonly id?: string;
  readonly required?: boolean;
  readonly children: (control: ControlAttributes) => ReactNode;
}

/** Label, hint and error around one control, tied to it for assistive technology. */
export function Field({ id, label, hideLabel, hint, error, required, className, children }: FieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const describedBy = classNames(Boolean(hint) && hintId, Boolean(error) && errorId) || undefined;
  return (
    <div className={classNames('ui-field', className)}>
      {/* The mark is the stylesheet's, so that the field's name is the label and nothing else. */}
      <label htmlFor={controlId} className={hideLabel ? 'sr-only' : 'ui-label'} data-required={required || undefined}>{label}</label>
      {children({ id: controlId, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy })}
      {hint && <p id={hintId} className="ui-hint">{hint}</p>}
      {error && <p id={errorId} className="ui-error" role="alert">{error}</p>}
    </div>
  );
}
