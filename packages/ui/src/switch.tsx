import type { ChangeEvent } from 'react';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly className?: string;
}

/** An on-off switch with its label. */
export function Switch({ label, checked, onChange, className = '' }: SwitchProps) {
  return (
    <label className={`flex min-h-11 cursor-pointer items-center gap-3 font-medium ${className}`}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.checked)}
        className="relative h-6 w-11 flex-none cursor-pointer appearance-none rounded-full border border-field-line bg-base-300 transition-colors before:absolute before:start-0.5 before:top-0.5 before:size-4.5 before:rounded-full before:bg-muted before:transition-transform checked:border-primary checked:bg-primary checked:before:translate-x-5 checked:before:bg-primary-content focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-primary motion-reduce:transition-none motion-reduce:before:transition-none"
      />
      {label}
    </label>
  );
}
