import type { ComponentType } from 'react';
import { Field } from '../../field.tsx';
import { DateField, NumberField, PasswordField, SelectField, TextAreaField, TextField } from '../../index.ts';
import type { Examples } from '../example.ts';
import { longText } from '../example.ts';

/** A field as it comes, after a mistake, and where nothing may be entered. */
const inStates = <Props extends { readonly label: string }>(
  Control: ComponentType<Props & { readonly error?: string; readonly disabled?: boolean }>,
  props: Props,
) => ({
  Default: () => <Control {...props} />,
  Error: () => <Control {...props} error="Say why, or leave it empty" />,
  Disabled: () => <Control {...props} disabled />,
});

/** Fields that a form registers. */
export const fields = {
  TextField: {
    ...inStates(TextField, { label: 'Name', defaultValue: 'Amina Khatun', required: true }),
    'Label hidden': () => <TextField label="Note" hideLabel placeholder="Note" />,
    'Long text': () => <TextField label={longText} defaultValue={longText} hint={longText} error={longText} />,
  },
  NumberField: inStates(NumberField, { label: 'Units to add', min: 1, defaultValue: 10 }),
  DateField: {
    ...inStates(DateField, { label: 'Date', defaultValue: '2026-11-24' }),
    Empty: () => <DateField label="Date of birth" />,
  },
  SelectField: {
    ...inStates(SelectField, { label: 'Unit', placeholder: 'Choose a unit', options: ['box', 'bottle'] }),
    'One option disabled': () => (
      <SelectField label="Time" options={['9:30 AM', { value: '10:00', label: '10:00 AM (taken)', disabled: true }]} />
    ),
    'Long text': () => <SelectField label="Department" options={[longText]} />,
  },
  TextAreaField: inStates(TextAreaField, { label: 'Message', rows: 2, placeholder: 'How can we help?' }),
  PasswordField: inStates(PasswordField, { label: 'Password', autoComplete: 'off', hint: 'At least 8 characters.' }),
  Field: {
    'A control of your own': () => (
      <Field label="Pain, from 0 to 10" hint="0 is none.">
        {(control) => <input {...control} type="range" min={0} max={10} defaultValue={3} />}
      </Field>
    ),
  },
} satisfies Examples;
