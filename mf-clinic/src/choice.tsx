import type { ReactNode } from 'react';

interface ChoiceProps {
  readonly type: 'radio' | 'checkbox';
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: () => void;
  readonly id?: string | undefined;
  /** Radio buttons of one question share it, for the arrow keys. */
  readonly name?: string | undefined;
  /** Id of an element that says more. */
  readonly describedBy?: string | undefined;
}

/** One of several answers, large enough for a thumb. */
export function Choice({ label, describedBy, ...input }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input {...input} aria-describedby={describedBy} className="size-5 flex-none accent-primary" />
      <span className="min-w-0 wrap-anywhere">{label}</span>
    </label>
  );
}
