import { typedAddress } from '@clinic/contracts/typed-address';
import type { ComponentPropsWithRef, InputEvent } from 'react';
import { Field, splitField, type FieldTexts } from './field.tsx';

export type TextFieldProps = FieldTexts & Omit<ComponentPropsWithRef<'input'>, keyof FieldTexts>;

/** Before anybody reads the value. Left alone, it keeps the caret. */
function cleanAddress({ currentTarget: input }: InputEvent<HTMLInputElement>): void {
  const address = typedAddress(input.value);
  if (address !== input.value) input.value = address;
}

/**
 * One-line text. Passes `ref`, `name`, `onChange` and `onBlur` on, so that react-hook-form's `{...register('x')}`
 * works. `required` only marks the label: messages come through `error`, not as the browser's bubbles (put `noValidate`
 * on the form).
 */
export function TextField(props: TextFieldProps) {
  const [field, input] = splitField(props);
  return (
    <Field {...field}>
      {(control) => (
        <input
          type="text"
          onInput={input.type === 'email' ? cleanAddress : undefined}
          {...input}
          {...control}
          // CSS styles an empty date differently.
          required={props.required === true && (input.type === 'date' || input.type === 'time')}
          className="input ui-control"
        />
      )}
    </Field>
  );
}

/** A number; with react-hook-form use `{ valueAsNumber: true }` in `register`. */
export function NumberField(props: Omit<TextFieldProps, 'type'>) {
  return <TextField inputMode={props.step === undefined ? 'numeric' : 'decimal'} {...props} type="number" />;
}

/** A calendar date; its value is 'yyyy-mm-dd'. */
export function DateField(props: Omit<TextFieldProps, 'type'>) {
  return <TextField {...props} type="date" />;
}
