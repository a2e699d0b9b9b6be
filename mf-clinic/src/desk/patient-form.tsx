import { maxText, phonePattern } from '@clinic/contracts/limits';
import { maxReason } from '@clinic/svc-clinic/contract/limits';
import type { AboutVisit } from '@clinic/svc-clinic/contract/patient';
import { Button, TextField } from '@clinic/ui';
import { useEffect, useState } from 'react';
import { aboutVisit } from '../booking/booking-fields.ts';
import type { DeskPatient } from './desk-patient.ts';
import { describe, FindPatient } from './find-patient.tsx';

interface PatientFormProps {
  /** The button outside the form submits it by this id. */
  readonly id: string;
  readonly patient: DeskPatient | undefined;
  readonly onPatient: (patient: DeskPatient | undefined) => void;
  readonly onBook: (patient: DeskPatient, about: AboutVisit) => void;
}

/** A new patient as typed. */
interface Typed {
  readonly name: string;
  /** Phone number or email address. */
  readonly contact: string;
}

/** Moves to the field that comes next, without a press of Tab. @param form - its id */
export function focusNextField(form: string): void {
  document.getElementById(form)?.querySelector<HTMLElement>('[data-first]')?.focus();
}

/** Who comes and why: a known patient, or a new one's name and how to reach them. */
export function PatientForm({ id, patient, onPatient, onBook }: PatientFormProps) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState<Typed>();
  const [tried, setTried] = useState(false);
  const chosen = patient ?? (typed && newPatient(typed));
  const step = patient ? 'reason' : typed ? 'new' : 'find';
  useEffect(() => focusNextField(id), [id, step]);

  return (
    <form
      id={id}
      noValidate
      aria-label="Appointment"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (chosen && (patient !== undefined || (typed && isWhole(typed)))) onBook(chosen, aboutVisit({ reason }));
      }}
    >
      {patient && <Chosen patient={patient} onChange={() => onPatient(undefined)} />}
      {step === 'find' && (
        <FindPatient
          onChoose={onPatient}
          onNew={(text) => {
            setTried(false);
            // What was searched for is the name, or how to reach them.
            const isContact = text.includes('@') || phonePattern.test(text);
            setTyped(isContact ? { name: '', contact: text } : { name: text, contact: '' });
          }}
        />
      )}
      {step === 'find' && tried && (
        <p className="ui-error" role="alert">
          Choose a patient
        </p>
      )}
      {step === 'new' && typed && (
        <NewPatient typed={typed} tried={tried} onType={setTyped} onBack={() => setTyped(undefined)} />
      )}
      {chosen && (
        <TextField
          label="Reason for the visit (optional)"
          data-first={patient ? true : undefined}
          autoComplete="off"
          maxLength={maxReason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
    </form>
  );
}

function Chosen({ patient, onChange }: { readonly patient: DeskPatient; readonly onChange: () => void }) {
  return (
    <div className="flex items-start gap-3 rounded-field border border-line bg-base-200 px-4 py-3">
      <p className="min-w-0 grow wrap-anywhere">
        <strong className="block">{patient.name}</strong>
        <span className="text-sm text-muted">{describe(patient)}</span>
      </p>
      <Button size="sm" variant="ghost" aria-label={`Change the patient, now ${patient.name}`} onClick={onChange}>
        Change
      </Button>
    </div>
  );
}

interface NewPatientProps {
  readonly typed: Typed;
  /** What is missing is said. */
  readonly tried: boolean;
  readonly onType: (typed: Typed) => void;
  readonly onBack: () => void;
}

function NewPatient({ typed, tried, onType, onBack }: NewPatientProps) {
  const [nameFirst] = useState(typed.name === '');
  const { name, contact } = typed;
  return (
    <div className="grid gap-4">
      <TextField
        label="Patient name"
        data-first={nameFirst || undefined}
        required
        autoComplete="off"
        maxLength={maxText}
        error={tried ? faultOfName(name) : undefined}
        value={name}
        onChange={(event) => onType({ ...typed, name: event.target.value })}
      />
      <TextField
        label="Phone number or email"
        data-first={!nameFirst || undefined}
        required
        autoComplete="off"
        maxLength={maxText}
        hint="With an email address, messages about the appointment go there."
        error={tried ? faultOfContact(contact) : undefined}
        value={contact}
        onChange={(event) => onType({ ...typed, contact: event.target.value })}
      />
      <p>
        <Button size="sm" variant="link" onClick={onBack}>
          Find a known patient
        </Button>
      </p>
    </div>
  );
}

const faultOfName = (name: string): string | undefined => (name.trim() === '' ? 'Patient name is required' : undefined);

function faultOfContact(contact: string): string | undefined {
  const text = contact.trim();
  if (text === '') return 'Phone number or email is required';
  if (text.includes('@') || phonePattern.test(text)) return undefined;
  return 'This is neither a phone number nor an email address';
}

const isWhole = ({ name, contact }: Typed): boolean => (faultOfName(name) ?? faultOfContact(contact)) === undefined;

function newPatient({ name, contact }: Typed): DeskPatient {
  const text = contact.trim();
  const isEmail = text.includes('@');
  return {
    key: 'new',
    name: name.trim(),
    email: isEmail ? text : null,
    number: isEmail ? '' : text,
    address: '',
    age: null,
    born: '',
  };
}
