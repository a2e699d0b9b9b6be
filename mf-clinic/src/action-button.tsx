import { Button, type IconName } from '@clinic/ui';

interface ActionButtonProps {
  readonly icon: IconName;
  /** The action in a word. */
  readonly text: string;
  /** The action and its record, for assistive technology. */
  readonly label: string;
  readonly busy?: boolean;
  /** The row's first action. */
  readonly first?: boolean;
  readonly onClick: () => void;
}

/** A small action of a row. */
export function ActionButton({ icon, text, label, busy, first = false, onClick }: ActionButtonProps) {
  return (
    <Button size="sm" variant={first ? 'soft' : 'ghost'} icon={icon} busy={busy} aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}
