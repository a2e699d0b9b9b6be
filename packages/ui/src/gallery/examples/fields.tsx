import { Field } from '../../field.tsx';
import { DateField, NumberField, PasswordField, SelectField, TextAreaField, TextField } from '../../index.ts';
import type { Examples } from '../example.ts';
import { longText } from '../example.ts';

/** Fields that a form registers. */
export const fields = {
  TextField: {
    Default: () => <TextField label="Name" />,
    Filled: () => <TextField label="Name" defaultValue="Amina Khatun" />,
    Required: () => <TextField label="Phone" type="tel" required />,
    'With a hint': () => <TextField label="Email" type="email" hint="We only write about your appointments." />,
    Error: () => (
      <TextField label="Email" type="email" defaultValue="amina" error="Enter an email address like name@example.com" />
    ),
    Disabled: () => <TextField label="Account number" disabled defaultValue="4F09A1" />,
    'Label hidden': () => <TextField label="Note" hideLabel placeholder="Note" />,
    'Long text': () => <TextField label={longText} defaultValue={longText} hint={longText} error={longText} />,
  },
  NumberField: {
    Default: () => <NumberField label="Units to add" min={1} defaultValue={10} />,
    Empty: () => <NumberField label="Age" min={1} />,
    Error: () => <NumberField label="Age" min={1} defaultValue={0} error="Age must be positive" />,
    Disabled: () => <NumberField label="In stock" disabled defaultValue={120} />,
  },
  DateField: {
    Default: () => <DateField label="Date" defaultValue="2026-11-24" />,
    Empty: () => <DateField label="Date of birth" required />,
    Error: () => <DateField label="Date" defaultValue="2020-01-01" error="Choose a day from today on" />,
    Disabled: () => <DateField label="Date" disabled defaultValue="2026-11-24" />,
  },
  SelectField: {
    Default: () => <SelectField label="Unit" options={['box', 'bottle', 'strip']} />,
    'Nothing chosen': () => (
      <SelectField label="Department" defaultValue="" placeholder="Choose a department" options={['Cardiology']} />
    ),
    'One option disabled': () => (
      <SelectField
        label="Time"
        options={[
          { value: '09:30', label: '9:30 AM' },
          { value: '10:00', label: '10:00 AM (taken)', disabled: true },
        ]}
      />
    ),
    Error: () => (
      <SelectField
        label="Department"
        defaultValue=""
        placeholder="Choose a department"
        options={['Cardiology']}
        error="Choose a department"
      />
    ),
    Disabled: () => <SelectField label="Unit" disabled options={['box']} />,
    'Long text': () => <SelectField label="Department" options={[longText]} />,
  },
  TextAreaField: {
    Default: () => <TextAreaField label="Message" placeholder="How can we help?" />,
    Filled: () => <TextAreaField label="Message" rows={2} defaultValue="I can’t come on Monday." />,
    Error: () => <TextAreaField label="Reason" rows={2} required error="Say why" />,
    Disabled: () => <TextAreaField label="Notes" rows={2} disabled defaultValue="Only the doctor writes here." />,
  },
  PasswordField: {
    Default: () => <PasswordField label="Password" autoComplete="current-password" defaultValue="Demo-1234" />,
    Empty: () => <PasswordField label="New password" autoComplete="new-password" hint="At least 8 characters." />,
    Error: () => (
      <PasswordField
        label="Password"
        autoComplete="new-password"
        defaultValue="1234"
        error="Use 8 characters or more"
      />
    ),
  },
  Field: {
    'A control of your own': () => (
      <Field label="Pain, from 0 to 10" hint="0 is none.">
        {(control) => <input {...control} type="range" min={0} max={10} defaultValue={3} />}
      </Field>
    ),
    Error: () => (
      <Field label="Photo" error="Choose a picture">
        {(control) => <input {...control} type="file" style={{ width: '100%' }} />}
      </Field>
    ),
  },
} satisfies Examples;
