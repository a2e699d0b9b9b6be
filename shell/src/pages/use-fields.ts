import { useDraft } from '@clinic/app-kit';
import { emailMessage, isTypedAddress } from '@clinic/contracts/typed-address';
import { useState, type ChangeEvent, type SyntheticEvent } from 'react';

/** Per field: the error for an unacceptable value. */
export type Rules<Field extends string> = Readonly<Record<Field, (value: string) => string | undefined>>;

export interface Fields<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  /** Props of the field's component. */
  readonly field: (name: Field) => {
    readonly name: Field;
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  /** Handles the form's submit event: passes valid values on, otherwise focuses the first invalid field. */
  readonly submit: (
    event: SyntheticEvent<HTMLFormElement, SubmitEvent>,
    onGood: (values: Readonly<Record<Field, string>>) => void,
  ) => void;
  /** Sets values without showing errors. */
  readonly fill: (values: Partial<Record<Field, string>>) => void;
  /** Shows the server's field errors. */
  readonly showErrors: (errors: Partial<Record<Field, string>>) => void;
}

/**
 * The fields of a short form of texts. These forms stand between a visitor and the first page after login, where
 * react-hook-form's 16 KB would be noticeable (docs/decisions/0012-small-forms-on-first-pages.md).
 *
 * @param initial - the fields with their initial values, in page order
 */
export function useFields<Field extends string>(
  initial: Readonly<Record<Field, string>>,
  rules: Rules<Field>,
): Fields<Field> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const names = Object.keys(initial) as Field[];

  return {
    values,
    field: (name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange({ target }) {
        setValues((current) => ({ ...current, [name]: target.value }));
        // An error that is shown is updated with each keystroke; a new one waits for the submit.
        setErrors((current) =>
          current[name] === undefined ? current : { ...current, [name]: rules[name](target.value) },
        );
      },
    }),
    submit(event, onGood) {
      event.preventDefault();
      const { elements } = event.currentTarget;
      // From the DOM: some password managers fill fields in without events.
      const typed = Object.fromEntries(
        names.map((name) => [name, valueOf(elements.namedItem(name)) ?? values[name]]),
      ) as Record<Field, string>;
      setValues(typed);
      const found = Object.fromEntries(names.map((name) => [name, rules[name](typed[name])])) as Partial<
        Record<Field, string>
      >;
      setErrors(found);
      const first = names.find((name) => found[name] !== undefined);
      if (first === undefined) return onGood(typed);
      const control = elements.namedItem(first);
      if (control instanceof HTMLElement) control.focus();
    },
    fill(more) {
      setValues((current) => ({ ...current, ...more }));
      setErrors({});
    },
    showErrors: setErrors,
  };
}

function valueOf(control: Element | RadioNodeList | null): string | undefined {
  return control instanceof HTMLInputElement ? control.value : undefined;
}

/** @param message - for an empty field */
export const required = (message: string) => (value: string) => (value.trim() === '' ? message : undefined);

/** The first error of several rules. */
export const all =
  (...rules: readonly ((value: string) => string | undefined)[]) =>
  (value: string): string | undefined => {
    for (const rule of rules) {
      const complaint = rule(value);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  };

/** @param message - for a value that doesn't match */
export const matching = (pattern: RegExp, message: string) => (value: string) =>
  pattern.test(value.trim()) ? undefined : message;

/** Minimum length in characters. */
export const atLeast = (length: number, message: string) => (value: string) =>
  value.length < length ? message : undefined;

export const isEmail = (value: string): string | undefined => (isTypedAddress(value) ? undefined : emailMessage);

/**
 * Keeps what is typed across the reload for a new version, except passwords; otherwise the form starts
 * empty. The kept values are in `draftOf(key)`.
 */
export function useFieldsDraft(key: string, values: Readonly<Record<string, string>>): void {
  useDraft(key, () => Object.fromEntries(Object.entries(values).filter(([name]) => name !== 'password')), 'forget');
}
