import { formatDate } from '@clinic/app-kit';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import { calendarLimits as limits } from '@clinic/svc-clinic/contract/limits';
import { Alert, TextField } from '@clinic/ui';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useSettled } from '../use-settled.ts';
import { useDesk } from './use-desk.ts';
import type { DeskPatient } from './desk-patient.ts';
import { usePatients } from './use-patients.ts';

interface FindPatientProps {
  readonly onChoose: (patient: DeskPatient) => void;
  /** Somebody who isn't known yet. @param typed - what was searched for */
  readonly onNew: (typed: string) => void;
}

/** Finds a patient by typing: arrow keys and Enter choose (ARIA Authoring Practices, combobox with a list). */
export function FindPatient({ onChoose, onNew }: FindPatientProps) {
  const mayAdd = useDesk();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const asked = text.trim();
  const q = useSettled(asked);
  const searching = asked.length >= limits.searchedLetters;
  const { found, settled, more, failure } = usePatients(searching ? q : '');
  const ready = settled && q === asked;
  const list = useId();
  const rows = [
    ...found.map((patient) => ({ key: patient.key, patient, choose: () => onChoose(patient) })),
    ...(mayAdd && ready ? [{ key: 'new', patient: undefined, choose: () => onNew(asked) }] : []),
  ];
  const pointed = Math.min(at, rows.length - 1);
  // Nobody looks chosen by Enter until the search has been answered: never somebody whom another one has found.
  const active = ready ? pointed : -1;

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (key !== 'Enter' && key !== 'ArrowDown' && key !== 'ArrowUp') return;
    event.preventDefault();
    if (key === 'Enter') rows[active]?.choose();
    else if (rows.length > 0) setAt((pointed + (key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length);
  }

  return (
    <div className="grid gap-2">
      <TextField
        label="Patient"
        data-first
        // A list of its own says more about each patient than the browser's could.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="combobox"
        aria-expanded={rows.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        maxLength={200}
        placeholder={mayAdd ? 'Name, phone, email or date of birth' : 'Name, phone or email'}
        hint={mayAdd ? undefined : 'Your own patients. The clinic’s admins book for new ones.'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {searching && failure && <Alert kind="error">{failure}</Alert>}
      <output className="sr-only">{ready && countInWords(found.length)}</output>
      <div
        id={list}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label="Patients found"
        className="max-h-[40dvh] divide-y divide-line overflow-y-auto rounded-field border border-line empty:hidden"
      >
        {rows.map(({ key, patient, choose }, index) => (
          <Row key={key} id={`${list}-${index}`} active={index === active} onPress={choose}>
            {patient ? (
              <>
                <span className="font-medium wrap-anywhere">{patient.name}</span>
                <span className="text-sm wrap-anywhere text-muted">{describe(patient)}</span>
              </>
            ) : (
              <span className="font-medium wrap-anywhere text-primary">New patient: {asked}</span>
            )}
          </Row>
        ))}
      </div>
      {ready && more && (
        <p className="text-sm text-muted">More patients may match. Add a word, or search for the phone number.</p>
      )}
      {!mayAdd && ready && found.length === 0 && <p className="text-sm text-muted">None of your patients matches.</p>}
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly active: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Row({ id, active, onPress, children }: RowProps) {
  return (
    <button
      type="button"
      id={id}
      // The text field has the focus and the keys.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={`grid w-full cursor-pointer gap-0.5 px-4 py-2 text-start ${active ? 'bg-tint' : 'hover:bg-base-200'}`}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

const countInWords = (count: number): string =>
  count === 0 ? 'No patient found' : count === 1 ? '1 patient found' : `${count} patients found`;

/** What tells namesakes apart. */
export function describe({ born, age, number, email, visit }: DeskPatient): string {
  return [
    born ? `born ${formatDate(born)}` : age === null ? '' : `age ${age}`,
    number,
    email === null || hasNoEmail(email) ? 'no email' : email,
    visit ? `with ${visit.doctorname} on ${formatDate(visit.date)}` : 'no appointment yet',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
