import { draftOf, useDraft } from '@clinic/app-kit';
import { useRef, useState, type ComponentProps, type InputEventHandler } from 'react';

type Check = (value: string) => string | undefined;

type Fields<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** @returns the field's value; empty if the field doesn't exist */
function typed(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * A form that sends nothing: it is validated, logged to the browser's console and answered with thanks. What was typed
 * survives the reload for a new version; the fields start with `kept`. Why it isn't react-hook-form:
 * docs/decisions/0012-small-forms-on-first-pages.md.
 *
 * @param name - what was filled in, for the log line
 * @param checks - by field name
 */
export function useLocalForm<Name extends string>(name: string, checks: Readonly<Record<Name, Check>>) {
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [done, setDone] = useState(false);
  const names = Object.keys(checks) as Name[];
  const [kept, setKept] = useState(() => draftOf<Fields<Name>>(name));
  const present = useRef(kept);
  useDraft(name, () => present.current, 'forget');

  const valuesOf = (form: HTMLFormElement): Record<Name, string> => {
    const data = new FormData(form);
    return Object.fromEntries(names.map((field) => [field, typed(data.get(field))])) as Record<Name, string>;
  };
  const onInput: InputEventHandler<HTMLFormElement> = (event) => {
    present.current = valuesOf(event.currentTarget);
  };

  const onSubmit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = valuesOf(form);
    const found = names
      .map((field) => [field, checks[field](values[field])] as const)
      .filter(([, error]) => error !== undefined);
    setErrors(Object.fromEntries(found) as Partial<Record<Name, string>>);
    const first = found[0];
    if (first) {
      const control = form.elements.namedItem(first[0]);
      if (control instanceof HTMLElement) control.focus();
      setDone(false);
      return;
    }
    console.info(name, values);
    form.reset();
    // Otherwise the fields would reset to these.
    setKept(undefined);
    present.current = undefined;
    setDone(true);
  };

  /** Props of the field's component. */
  const field = (of: Name) => ({ name: of, defaultValue: kept?.[of], error: errors[of] });

  return { field, done, onInput, onSubmit };
}
