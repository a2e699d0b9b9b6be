import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Props of every form field, in addition to its element's attributes. */
export interface FieldTexts {
  readonly label: ReactNode;
  /** Hides the label visually, if the context explains the field. */
  readonly hideLabel?: boolean;
  /** Hint below the field. */
  readonly hint?: ReactNode;
  /** The validation message; marks the field invalid. */
  readonly error?: string;
  /** Classes of the whole field, for its place in a layout. */
  readonly className?: string;
}

interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-required': boolean | undefined;
}

interface FieldProps extends FieldTexts {
  readonly id?: string;
  readonly required?: boolean;
}

/** Parts the props of a form field: those of {@link Field}, and the other attributes of its element. */
export function splitField<Props extends FieldProps>(props: Props): [FieldProps, Omit<Props, keyof FieldProps>] {
  const { label, hideLabel, hint, error, className, id, required, ...own } = props;
  return [{ label, hideLabel, hint, error, className, id, required }, own];
}

/** Label, hint and error around one control, associated with it for assistive technology. */
export function Field({
  id,
  label,
  hideLabel,
  hint,
  error,
  required,
  className,
  children,
}: FieldProps & { readonly children: (control: ControlAttributes) => ReactNode }) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const describedBy = classNames(Boolean(hint) && hintId, Boolean(error) && errorId) || undefined;
  return (
    <div className={classNames('ui-field', className)}>
      {/* The stylesheet draws the mark, so that the accessible name is the label alone. */}
      <label htmlFor={controlId} className={hideLabel ? 'sr-only' : 'ui-label'} data-required={required || undefined}>
        {label}
      </label>
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy,
        'aria-required': required,
      })}
      {hint && (
        <p id={hintId} className="ui-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="ui-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
