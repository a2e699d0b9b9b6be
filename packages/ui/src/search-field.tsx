import { useEffect, useRef, useState } from 'react';
import { Field, type FieldTexts } from './field.tsx';
import { Icon } from './icon.tsx';

export interface SearchFieldProps extends Omit<FieldTexts, 'error' | 'label'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Milliseconds without typing before `onChange` is called; 0 for lists filtered in the browser. Clearing calls it at once. */
  readonly delay?: number;
  readonly name?: string;
}

export function SearchField({
  label,
  hideLabel = true,
  hint,
  className,
  value,
  onChange,
  placeholder,
  delay = 0,
  name = 'q',
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Values passed to `onChange` that haven't come back as `value` yet. */
  const pending = useRef<string[]>([]);
  // A value kept in the address comes back late; typing continues in the meantime.
  const [draft, setDraft] = useState(value);

  useEffect(() => {
    const echo = pending.current.indexOf(value);
    if (echo >= 0) {
      pending.current.splice(0, echo + 1);
      return;
    }
    // Changed from outside, e.g. by the browser's Back button: that overrides the draft.
    clearTimeout(timer.current);
    setDraft(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const pass = (text: string, after: number) => {
    setDraft(text);
    clearTimeout(timer.current);
    const now = () => {
      pending.current.push(text);
      onChange(text);
    };
    if (after > 0) timer.current = setTimeout(now, after);
    else now();
  };

  return (
    <Field {...{ label, hideLabel, hint, className }}>
      {(control) => (
        <div className="ui-affixed ui-search">
          <Icon name="search" className="ui-search-icon" />
          <input
            {...control}
            ref={input}
            type="search"
            name={name}
            enterKeyHint="search"
            autoComplete="off"
            placeholder={placeholder}
            className="input ui-control"
            value={draft}
            onChange={(event) => pass(event.target.value, delay)}
          />
          {draft !== '' && (
            <button
              type="button"
              className="ui-affix"
              aria-label={`Clear ${label}`}
              onClick={() => {
                pass('', 0);
                input.current?.focus();
              }}
            >
              <Icon name="x" size={18} />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
