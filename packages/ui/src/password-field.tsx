import { useState } from 'react';
import { Field, splitField } from './field.tsx';
import { Icon } from './icon.tsx';
import type { TextFieldProps } from './text-field.tsx';

/** A password with a button that shows and hides it. Set `autoComplete` to `current-password` or `new-password`. */
export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  const [field, input] = splitField(props);
  const [shown, setShown] = useState(false);
  return (
    <Field {...field}>
      {(control) => (
        <div className="ui-affixed">
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
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
