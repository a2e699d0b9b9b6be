import { useState } from 'react';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import type { TextFieldProps } from './text-field.tsx';

/** A password with a button that shows and hides it. Set `autoComplete` to `current-password` or `new-password`. */
export function PasswordField({
  label,
  hideLabel,
  hint,
  error,
  className,
  id,
  required,
  ...input
}: Omit<TextFieldProps, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ label, hideLabel, hint, error, className, id, required }}>
      {(control) => (
        <div className="ui-affixed">
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            aria-required={required}
            className="input ui-control"
          />
          <button
            type="button"
            className="ui-affix"
            aria-label={shown ? 'Hide password' : 'Show password'}
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  );
}
