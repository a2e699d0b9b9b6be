import { Button, type IconName } from '@clinic/ui';

interface ActionButtonProps {
  readonly icon: IconName;
  /** The action in a word; shown on cards, where there is room. */
  readonly text: string;
  /** The action and its record, for assistive technology. */
  readonly label: string;
  readonly busy?: boolean;
  /** Shows the word in tables, too. */
  readonly words?: boolean | undefined;
  readonly onClick: () => void;
}

/** A small action of a row: an icon in tables, with text on the cards of narrow screens. */
export function ActionButton({ icon, text, label, busy, words = false, onClick }: ActionButtonProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={icon}
      busy={busy}
      className={words ? undefined : 'px-2! md:w-9 md:px-0!'}
      aria-label={label}
      title={text}
      onClick={onClick}
    >
      <span className={words ? undefined : 'font-medium md:hidden'}>{text}</span>
    </Button>
  );
}
