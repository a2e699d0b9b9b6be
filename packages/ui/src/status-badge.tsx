import { Icon, type IconName } from './icon.tsx';
import { toneOfStatus, type Tone } from './status-tone.ts';

const icons: Readonly<Record<Tone, IconName>> = {
  green: 'check',
  red: 'x',
  yellow: 'clock',
  blue: 'truck',
  grey: 'minus',
};

export interface StatusBadgeProps {
  readonly status: string;
  /** Only if the status' own tone doesn't fit. */
  readonly tone?: Tone;
  readonly icon?: IconName;
}

/** A status as word, icon and colour: never colour alone. */
export function StatusBadge({
  status,
  tone = toneOfStatus(status),
  icon = tone === 'yellow' && /stock/i.test(status) ? 'alert-triangle' : icons[tone],
}: StatusBadgeProps) {
  return (
    <span className="ui-badge" data-tone={tone}>
      <Icon name={icon} size={14} />
      <span key={status} className="ui-words">
        {status}
      </span>
    </span>
  );
}
