import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './status-tone.ts';

const icons: Readonly<Record<Tone, IconName>> = {
  green: 'check-circle',
  red: 'x-circle',
  yellow: 'alert-triangle',
  blue: 'info',
  grey: 'info',
};
const toneOf = { success: 'green', error: 'red', warning: 'yellow', info: 'blue' } as const satisfies Record<
  string,
  Tone
>;

export interface AlertProps {
  readonly kind?: keyof typeof toneOf;
  readonly title?: string;
  readonly children?: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  /** Adds a close button. */
  readonly onClose?: () => void;
}

/** A message in the page. Screen readers announce errors at once, others when they pause. */
export function Alert({ kind = 'info', title, children, actions, onClose }: AlertProps) {
  const tone = toneOf[kind];
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className="ui-alert" data-tone={tone}>
      <Icon name={icons[tone]} />
      <div className="ui-alert-text">
        {title && <p className="ui-alert-title">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {actions}
      {onClose && (
        <button type="button" className="ui-icon-button" aria-label="Close message" onClick={onClose}>
          <Icon name="x" size={18} />
        </button>
      )}
    </div>
  );
}
