import { useId, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Spinner } from './spinner.tsx';
import { toneOfStatus, type Tone } from './status-tone.ts';

export interface StatusSelectorProps<Value extends string = string> {
  readonly value: Value;
  /** What it may become; none: the selector is disabled. The present value is always shown and needn't be listed. */
  readonly options: readonly Value[];
  /** For assistive technology, and for people when `showLabel`: 'Status of the appointment of Amina Khatun'. */
  readonly label: string;
  readonly showLabel?: boolean;
  /** How a value is written on screen. */
  readonly labelFor?: (value: Value) => string;
  /** Disables the selector and says why. */
  readonly disabledReason?: string;
  /** The reason can be read beside it, also where nothing can be pointed at; unless told, only screen readers and pointers find it. */
  readonly showReason?: boolean;
  /** Choices that ask once before they are sent, e.g. `['Cancelled']`. */
  readonly destructive?: readonly Value[];
  /** What the question says below 'Change to Cancelled?'. */
  readonly confirmText?: string;
  /** Grey where a value has no meaning of its own, e.g. roles. */
  readonly tone?: Tone;
  /** Sends the change. While it is pending the selector is busy; if it rejects, the old value returns. Tell the reader why in the caller. */
  readonly onChange: (next: Value) => Promise<unknown>;
}

/** Changes a status in place: a native select that asks before what can't be undone. */
export function StatusSelector<Value extends string>({
  value, options, label, showLabel = false, labelFor = (it) => it, disabledReason, showReason = false, destructive = [], confirmText = 'This can’t be undone.', tone, onChange,
}: StatusSelectorProps<Value>) {
  const id = useId();
  const [asked, setAsked] = useState<Value>();
  const [sent, setSent] = useState<{ from: Value; to: Value; busy: boolean }>();

  // The new value stays on screen between the answer and the refetch that brings it as `value`.
  const shown = sent && sent.from === value ? sent.to : value;
  const busy = sent?.busy ?? false;
  const choices = [value, ...options.filter((option) => option !== value)];
  const disabled = disabledReason !== undefined || choices.length === 1;

  const send = (next: Value) => {
    setAsked(undefined);
    setSent({ from: value, to: next, busy: true });
    onChange(next).then(
      () => setSent({ from: value, to: next, busy: false }),
      (error: unknown) => {
        setSent(undefined);
        // Given up on purpose (an AbortError) isn't a failure.
        if (!(error instanceof DOMException && error.name === 'AbortError')) console.error(`${label}: the change to ${next} failed`, error);
      },
    );
  };

  return (
    <span className="ui-status-selector">
      <label htmlFor={id} className={showLabel ? 'ui-label' : 'sr-only'}>{label}</label>
      <span className="ui-status-control" data-tone={tone ?? toneOfStatus(shown)}>
        <select
          id={id} value={shown} disabled={disabled} aria-busy={busy || undefined} aria-describedby={disabledReason ? `${id}-reason` : undefined} title={showReason ? undefined : disabledReason}
          onChange={(event) => {
            const next = choices.find((choice) => choice === event.target.value);
            if (next === undefined || next === shown || busy) return;
            if (destructive.includes(next)) setAsked(next);
            else send(next);
          }}
        >
          {choices.map((choice) => <option key={choice} value={choice}>{labelFor(choice)}</option>)}
        </select>
        {busy && <Spinner label="Saving..." size={16} />}
      </span>
      {disabledReason && <span id={`${id}-reason`} className={showReason ? 'ui-hint' : 'sr-only'}>{disabledReason}</span>}
      {asked !== undefined && (
        <ConfirmDialog
          open destructive title={`Change to ${labelFor(asked)}?`} confirmLabel={`Yes, change to ${labelFor(asked)}`} cancelLabel={`Keep ${labelFor(value)}`}
          onConfirm={() => send(asked)} onCancel={() => setAsked(undefined)}
        >
          {confirmText}
        </ConfirmDialog>
      )}
    </span>
  );
}
