import { useId, useState, type KeyboardEvent } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Spinner } from './spinner.tsx';
import { toneOfStatus, type Tone } from './status-tone.ts';

export interface StatusSelectorProps<Value extends string = string> {
  readonly value: Value;
  /** Values it can change to; if empty, the selector is disabled. The current value is always shown and needn't be listed. */
  readonly options: readonly Value[];
  /** For assistive technology, and visible with `showLabel`: 'Status of the appointment of Amina Khatun'. */
  readonly label: string;
  readonly showLabel?: boolean;
  /** Formats a value for the screen. */
  readonly labelFor?: (value: Value) => string;
  /** Disables the selector and gives the reason. */
  readonly disabledReason?: string;
  /** The reason is visible beside it, also on touch screens; by default only screen readers and pointers get it. */
  readonly showReason?: boolean;
  /** Choices that need confirmation, e.g. `['Cancelled']`. */
  readonly destructive?: readonly Value[];
  /** Names the change and its record: 'Cancel order #4F09A1?'. By default 'Change to Cancelled?'. */
  readonly confirmTitle?: (next: Value) => string;
  /** Names the button that confirms: 'Yes, cancel order'. */
  readonly confirmLabel?: (next: Value) => string;
  /** Text of the confirmation below its title. */
  readonly confirmText?: string;
  /** Grey for values without a meaning of their own, e.g. roles. */
  readonly tone?: Tone;
  /**
   * Sends the change. The selector is busy while it is pending; if it rejects, the old value returns. The caller shows the
   * error.
   */
  readonly onChange: (next: Value) => Promise<unknown>;
}

/** Changes a status in place: a native select that asks before changes that can't be undone. */
export function StatusSelector<Value extends string>({
  value,
  options,
  label,
  showLabel = false,
  labelFor = (it) => it,
  disabledReason,
  showReason = false,
  destructive = [],
  confirmTitle = (next) => `Change to ${labelFor(next)}?`,
  confirmLabel = (next) => `Yes, change to ${labelFor(next)}`,
  confirmText = 'This can’t be undone.',
  tone,
  onChange,
}: StatusSelectorProps<Value>) {
  const id = useId();
  const [confirming, setConfirming] = useState<Value>();
  const { shown, busy, send } = useSend({ value, label, onChange });
  const choices = [value, ...options.filter((option) => option !== value)];
  const disabled = disabledReason !== undefined || choices.length === 1;

  return (
    <span className="ui-status-selector">
      <label htmlFor={id} className={showLabel ? 'ui-label' : 'sr-only'}>
        {label}
      </label>
      <span className="ui-status-control" data-tone={tone ?? toneOfStatus(shown)}>
        <select
          id={id}
          value={shown}
          disabled={disabled}
          aria-busy={busy || undefined}
          aria-describedby={disabledReason ? `${id}-reason` : undefined}
          title={showReason ? undefined : disabledReason}
          onKeyDown={openToChoose}
          onChange={(event) => {
            const next = choices.find((choice) => choice === event.target.value);
            if (next === undefined || next === shown || busy) return;
            if (destructive.includes(next)) setConfirming(next);
            else send(next);
          }}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {labelFor(choice)}
            </option>
          ))}
        </select>
        {busy && <Spinner label="Saving..." size={16} />}
      </span>
      {disabledReason && (
        <span id={`${id}-reason`} className={showReason ? 'ui-hint' : 'sr-only'}>
          {disabledReason}
        </span>
      )}
      {confirming !== undefined && (
        <ConfirmDialog
          open
          destructive
          title={confirmTitle(confirming)}
          confirmLabel={confirmLabel(confirming)}
          cancelLabel={`Keep ${labelFor(value)}`}
          onConfirm={() => {
            setConfirming(undefined);
            send(confirming);
          }}
          onCancel={() => setConfirming(undefined)}
        >
          {confirmText}
        </ConfirmDialog>
      )}
    </span>
  );
}

/**
 * In a closed list an arrow or a letter chooses at once, which would send a change that somebody only reads on the way to
 * another. It opens the list instead, where a browser can do that and says whether it is open.
 */
function openToChoose(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, altKey, ctrlKey, metaKey, currentTarget: select } = event;
  if (altKey || ctrlKey || metaKey || !/^(?:Arrow|Home|End|Page|\S$)/u.test(key)) return;
  if (!('showPicker' in select) || !CSS.supports('selector(:open)') || select.matches(':open')) return;
  event.preventDefault();
  select.showPicker();
}

/** Sends a change, and shows the new value from the response on, until the refetch passes it in as `value`. */
function useSend<Value extends string>({
  value,
  label,
  onChange,
}: Pick<StatusSelectorProps<Value>, 'value' | 'label' | 'onChange'>) {
  const [sent, setSent] = useState<{ from: Value; to: Value; busy: boolean }>();
  const send = (next: Value) => {
    setSent({ from: value, to: next, busy: true });
    onChange(next).then(
      () => setSent({ from: value, to: next, busy: false }),
      (error: unknown) => {
        setSent(undefined);
        // A deliberate cancellation (an AbortError) isn't a failure.
        if (!(error instanceof DOMException && error.name === 'AbortError'))
          console.error(`${label}: the change to ${next} failed`, error);
      },
    );
  };
  return { shown: sent && sent.from === value ? sent.to : value, busy: sent?.busy ?? false, send };
}
