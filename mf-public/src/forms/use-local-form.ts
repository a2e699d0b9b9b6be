import { useState, type ComponentProps } from 'react';

type Check = (value: string) => string | undefined;

/** @returns what was typed; nothing for a field that isn't there */
function typed(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * A form that goes nowhere (specification section 1): it is checked, logged in the browser's console and answered with thanks.
 *
 * @param name - what the log line says was filled in
 * @param checks - by field name
 */
export function useLocalForm<Name extends string>(name: string, checks: Readonly<Record<Name, Check>>) {
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [done, setDone] = useState(false);
  const names = Object.keys(checks) as Name[];

  const onSubmit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const values = Object.fromEntries(names.map((field) => [field, typed(data.get(field))])) as Record<Name, string>;
    const found = names.map((field) => [field, checks[field](values[field])] as const).filter(([, error]) => error !== undefined);
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
    setDone(true);
  };

  return { errors, done, onSubmit };
}
